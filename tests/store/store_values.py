"""Small submissions, targets, stages and graphs to store."""

from __future__ import annotations

from graphcap.graph.document import (
    RUN_STAGES,
    Break,
    Frame,
    Graph,
    Guard,
    Node,
    Options,
    Output,
    Placeholder,
    Ref,
    Stage,
    StageId,
    Target,
)
from graphcap.intake.submission import Submission, SubmittedFile

CODE = b"import torch\nmodel = torch.nn.Linear(2, 3)\nexample_args = (torch.randn(1, 2),)\n"


def submission(entry: str = "model.py", stages: tuple[StageId, ...] = RUN_STAGES) -> Submission:
    return Submission((SubmittedFile(entry, CODE),), "py", entry, Options(stages=stages), "0" * 64)


def graph(gid: str = "export.0", title: str = "whole") -> Graph:
    nodes = (
        Node("x", "placeholder", "x", placeholder=Placeholder("input", "x")),
        Node("add", "call_function", "aten.add.Tensor", args=(Ref(0), Ref(0))),
        Node("output", "output", "output", args=(Ref(1),), returns=(Output("user_output", 1),)),
    )
    return Graph(gid, title, 0, nodes, frames=(Frame("model.py", 2, user=True),), text="graph():\n    pass")


def target(id: str = "t1", title: str = "Linear") -> Target:
    return Target(id, title, "the variable `model`", frame=Frame("model.py", 2))


def export_stage() -> Stage:
    return Stage(
        "export",
        "done",
        seconds=1.5,
        graphs=(graph(),),
        notes=("a note",),
        breaks=(Break("a break\0"),),
        guards=(Guard(0, "TENSOR_MATCH", "L['x']"), Guard(0, "ID_MATCH", "L['y']")),
    )
