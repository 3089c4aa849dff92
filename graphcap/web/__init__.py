"""Pages, JSON API, event streams. The only Flask code; it talks to the store and never runs a capture itself."""

from graphcap.web.app import create_app

__all__ = ["create_app"]
