"""One line for every operation of the API: what it does, what it takes, what it answers. A test holds it to the routes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from graphcap.analyses.columns import Columns
from graphcap.analyses.details import Details, EveryDetails
from graphcap.analyses.guards.tree import GuardTree
from graphcap.analyses.links.linked import Links
from graphcap.analyses.mirror.mirror import Mirror
from graphcap.analyses.story.facts import Story
from graphcap.analyses.surface.surface import Surface
from graphcap.analyses.tracing.trace import Trace
from graphcap.intake.reading.look import Look
from graphcap.web.api import answers, captures, gallery, graphs
from graphcap.web.api.joined.traces import WAYS
from graphcap.web.api.sent import submissions
from graphcap.web.api.server import Server
from graphcap.web.charts import figures
from graphcap.web.operator.health import Health

EVENTS = """Server-sent events until the capture ends. `status` {"status", "queue_position"}; `targets` {"targets": [...]};
`stage` {"target", "stage": Stage}; `log` {"text"}: what was printed since the last one; `done` {"status"} is the last one
(status `deleted` when the capture was removed meanwhile). The stream begins with the state as it is."""


class Query(NamedTuple):
    """A parameter behind the `?`; `values`: the only ones it may have, where not any text will do."""

    description: str
    values: tuple[str, ...] = ()
    required: bool = False


class Operation(NamedTuple):
    """`answer` is a type (JSON), a media type (text), or None (no body). `errors` are codes of `graphcap.errors`."""

    summary: str
    answer: Any
    status: int = 200
    errors: tuple[str, ...] = ()
    token: bool = False
    description: str = ""
    query: Mapping[str, Query] = MappingProxyType({})


OPERATIONS: dict[tuple[str, str], Operation] = {
    ("post", "/api/captures"): Operation(
        "Submit code or a file",
        submissions.Submitted,
        202,
        (
            "bad-request",
            "bad-options",
            "bad-inputs",
            "forbidden",
            "no-jail",
            "too-large",
            "unsupported-upload",
            "empty-upload",
            "not-text",
            "which-entry",
            "rate-limited",
            "too-many-captures",
            "too-busy",
        ),
    ),
    ("post", "/api/documents"): Operation(
        "Upload a finished capture",
        submissions.Submitted,
        201,
        ("bad-request", "bad-document", "forbidden", "too-large", "rate-limited", "too-busy"),
        description="The body is a file that `graphcap capture` wrote. It is checked and kept; nothing of it is run.",
    ),
    ("post", "/api/look"): Operation(
        "What would be captured of code or files",
        Look,
        errors=(
            "bad-request",
            "bad-options",
            "forbidden",
            "too-large",
            "unsupported-upload",
            "empty-upload",
            "not-text",
            "rate-limited",
        ),
        description="Takes what POST /api/captures takes, reads it, and runs and keeps nothing.",
    ),
    ("get", "/api/captures"): Operation(
        "Some captures by id, as a list",
        captures.Titles,
        errors=("bad-request",),
        query={"ids": Query("A,B,C", required=True)},
    ),
    ("get", "/api/captures/{id}"): Operation("One capture", answers.Capture, errors=("not-found",)),
    ("delete", "/api/captures/{id}"): Operation(
        "Delete a capture", None, 204, errors=("forbidden", "not-found"), token=True
    ),
    ("post", "/api/captures/{id}/cancel"): Operation(
        "Cancel a queued or running capture", captures.State, 202, ("forbidden", "not-found", "conflict"), token=True
    ),
    ("get", "/api/captures/{id}/events"): Operation(
        "Follow a capture", "text/event-stream", errors=("not-found", "too-many-streams"), description=EVENTS
    ),
    ("get", "/api/captures/{id}/source"): Operation("The submitted files", captures.Sources, errors=("not-found",)),
    ("get", "/api/captures/{id}/log"): Operation("What the code printed", captures.LogText, errors=("not-found",)),
    ("get", "/api/captures/{id}/breaks"): Operation("Graph breaks", captures.Breaks, errors=("not-found",)),
    ("get", "/api/captures/{id}/compilations"): Operation(
        "What a logged run compiled, and how long it took", captures.Compilations, errors=("not-found",)
    ),
    ("get", "/api/captures/{id}/guards"): Operation("Guards", captures.Guards, errors=("not-found",)),
    ("get", "/api/captures/{id}/guards/{gid}"): Operation(
        "The guards of one piece of compiled code as a tree", GuardTree, errors=("not-found",)
    ),
    ("get", "/api/captures/{id}/story"): Operation(
        "A captured function as torch runs it",
        Story,
        errors=("not-found",),
        query={"target": Query("Id of a target; the first when left out.")},
    ),
    ("get", "/api/captures/{id}/graphs/{gid}"): Operation("A graph as columns, for drawing", Columns, errors=("not-found",)),
    ("get", "/api/captures/{id}/graphs/{gid}/nodes"): Operation(
        "Every node of a graph", EveryDetails, errors=("not-found",)
    ),
    ("get", "/api/captures/{id}/graphs/{gid}/nodes/{name}"): Operation("One node", Details, errors=("not-found",)),
    ("get", "/api/captures/{id}/graphs/{gid}/text"): Operation(
        "What torch prints of a graph", graphs.GraphText, errors=("not-found",)
    ),
    ("get", "/api/captures/{id}/graphs/{gid}/export/{format}"): Operation(
        "A graph in another format", "*/*", errors=("not-found",)
    ),
    ("get", "/api/captures/{id}/export/html"): Operation(
        "The viewer with the capture in one file",
        "text/html",
        errors=("not-found", "conflict", "too-many-files"),
        query={"view": Query("What the file opens with: the part of the page's address behind the #.")},
    ),
    ("get", "/api/captures/{id}/mirror/{gid}"): Operation(
        "What a forward graph saves for its backward", Mirror, errors=("not-found",)
    ),
    ("get", "/api/captures/{id}/links/{gid_a}/{gid_b}"): Operation(
        "Which nodes of two graphs belong together", Links, errors=("not-found", "bad-request")
    ),
    ("get", "/api/captures/{id}/operators"): Operation(
        "The operators of every stage, and what each became", Surface, errors=("not-found",)
    ),
    ("get", "/api/captures/{id}/trace/{gid}/{name}"): Operation(
        "What computes a node, what is computed of it, what differentiates it",
        Trace,
        errors=("not-found", "bad-request"),
        query={
            "how": Query("Which question.", WAYS, required=True),
            "to": Query("The other end of the paths; only with `between`."),
        },
    ),
    ("get", "/api/captures/{id}/charts"): Operation("The charts there are", figures.Charts, errors=("not-found",)),
    ("get", "/api/captures/{id}/charts/{name}"): Operation(
        "A chart as plotly JSON",
        figures.Figure,
        errors=("not-found",),
        query={"target": Query("Id of a target; the first when left out.")},
    ),
    ("get", "/api/server"): Operation("Whether a submission would be run", Server),
    ("get", "/api/examples"): Operation("The gallery", gallery.Examples),
    ("get", "/api/openapi.json"): Operation("This description", "application/json"),
    ("get", "/plotly/{version}/plotly.min.js"): Operation(
        "The plotly.js that draws the charts", "text/javascript", errors=("not-found",)
    ),
    ("get", "/healthz"): Operation("Whether captures can be taken; 503 where not", Health),
    ("get", "/metrics"): Operation("Counts in Prometheus' text format", "text/plain"),
}

PARAMETERS: dict[str, str] = {
    "id": "Id of a capture.",
    "gid": "Id of a graph, opaque; its slashes percent-encoded or plain.",
    "gid_a": "Id of a graph, its slashes percent-encoded or plain.",
    "gid_b": "Id of another graph of the same target, or of the same graph.",
    "name": "Name of a node.",
    "version": "Of plotly, as the answer about the charts names it.",
    "format": "`txt`: exactly what print(graph) prints. `json`: networkx node-link (directed, multigraph, key `edges`). "
    "`dot`: Graphviz, modules as clusters. `graphml`: for yEd, Gephi, Cytoscape, networkx. "
    "`pt2`: the exported program it is of, without weights, for torch.export.load.",
}
"""What stands in the paths."""
