"""Charts: figures as plotly JSON, and the plotly.js they are drawn by."""

from __future__ import annotations

from graphcap.web.charts import figures, script

BLUEPRINTS = (figures.blueprint, script.blueprint)
