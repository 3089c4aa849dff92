"""The plotly.js that the Python package ships: figures are drawn by exactly the version they were made for."""

from __future__ import annotations

from pathlib import Path

import plotly  # type: ignore[import-untyped]

VERSION: str = plotly.__version__
"""Of the Python package, which names the file in an address."""


def content() -> bytes:
    """The file: 5 MB, read anew each time."""
    return (Path(plotly.__file__).parent / "package_data" / "plotly.min.js").read_bytes()
