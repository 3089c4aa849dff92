"""For whoever runs the server, and for machines that watch it: /healthz, /metrics, /operator."""

from graphcap.web.operator import health, metrics, page

BLUEPRINTS = (health.blueprint, metrics.blueprint, page.blueprint)
