"""What the server writes to its log, and what it does not: nothing that people sent, no names of their making."""

from __future__ import annotations

import logging

from werkzeug.serving import WSGIRequestHandler

FORMAT = "%(asctime)s %(levelname)s %(message)s"


def show() -> None:
    """Lets graphcap's own lines be seen, the start-up line among them, unless whoever embeds the app arranged logging."""
    logger = logging.getLogger("graphcap")
    if logger.level == logging.NOTSET:
        logger.setLevel(logging.INFO)
    if not logger.hasHandlers():
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter(FORMAT))
        logger.addHandler(handler)


class QuietRequests(WSGIRequestHandler):
    """For Flask's own server: no line for every request, as its path may hold the name of a person's node."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Nothing."""
