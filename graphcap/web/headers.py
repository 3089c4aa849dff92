"""Headers of every answer that security needs; of the parts of a page, which are many and small, no more than theirs."""

from __future__ import annotations

from flask import Flask, Response, request

from graphcap.web.bundles.workers import WORKERS

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "worker-src 'self'",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
"""Nothing inline, nothing from elsewhere: the page shows strangers' code and torch's words about it."""

HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",  # frame-ancestors, for what does not know it
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


NO_FRAMES = "; frame-ancestors 'none'"
assert NO_FRAMES in CONTENT_SECURITY_POLICY

EMBEDDED = "pages.embed"
"""The endpoint that other sites and files may frame, its errors too. No ancestor is named: `*` leaves files out."""

EMBEDDED_HEADERS = {
    **{name: value for name, value in HEADERS.items() if name != "X-Frame-Options"},
    "Content-Security-Policy": CONTENT_SECURITY_POLICY.replace(NO_FRAMES, ""),
    "Cross-Origin-Resource-Policy": "cross-origin",
}

PARTS = ("pages.static_file", "plotly.plotly_script")
"""The endpoints of what pages are made of."""

PART_HEADERS = {"X-Content-Type-Options": HEADERS["X-Content-Type-Options"]}
"""What the other headers say is about documents and workers; the same on each of 250 modules, it was half of their bytes."""

SUFFIXES = (".js", ".css", ".woff2")


def install(app: Flask) -> None:
    """Adds them to every answer of the app, errors too."""

    @app.after_request
    def add(response: Response) -> Response:
        for name, value in _headers(response).items():
            response.headers.setdefault(name, value)
        return response


def _headers(response: Response) -> dict[str, str]:
    if request.endpoint == EMBEDDED:
        return EMBEDDED_HEADERS
    part = request.endpoint in PARTS and response.status_code in (200, 304)
    return PART_HEADERS if part and request.path.endswith(SUFFIXES) and not request.path.endswith(WORKERS) else HEADERS
