"""The way in: ``python app.py``, or ``gunicorn 'app:create_app()'``."""

from __future__ import annotations

import os

from graphcap.web import create_app

__all__ = ["create_app"]

if __name__ == "__main__":
    create_app().run(host=os.environ.get("HOST", "127.0.0.1"), port=int(os.environ.get("PORT", "8000")), threaded=True)
