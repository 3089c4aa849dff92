"""The way in: ``python app.py``, or ``gunicorn 'app:create_app()'``."""

from __future__ import annotations

import os

from graphcap.web import create_app
from graphcap.web.operator.log import QuietRequests

__all__ = ["create_app"]

if __name__ == "__main__":
    host, port = os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8000"))
    create_app().run(host=host, port=port, threaded=True, request_handler=QuietRequests)
