"""plotly.js as the Python package ships it: under an address that names its version, kept by browsers for good.

It runs under the page's own Content-Security-Policy, which allows neither eval nor inline styles: see static/css/charts.css.
"""

from __future__ import annotations

import functools

from flask import Blueprint, Response

from graphcap.analyses.charts import plotlyjs
from graphcap.errors import UserError
from graphcap.web import assets
from graphcap.web.answering import IMMUTABLE, answer_asset

blueprint = Blueprint("plotly", __name__)

ADDRESS = f"/plotly/{plotlyjs.VERSION}/plotly.min.js"


@blueprint.get("/plotly/<version>/plotly.min.js")
def plotly_script(version: str) -> Response:
    """The one version there is; a page of an earlier one has to be loaded again."""
    if version != plotlyjs.VERSION:
        said = f"This server draws with plotly {plotlyjs.VERSION}."
        raise UserError("not-found", "There is no such file", said, "Load the page again.")
    return answer_asset(_asset(), IMMUTABLE)


@functools.cache
def _asset() -> assets.Asset:
    """Read and compressed when somebody first looks at a chart: that takes half a second."""
    return assets.asset(plotlyjs.content(), ".js")
