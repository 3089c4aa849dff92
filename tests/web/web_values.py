"""A capture by hand, put into a store as the runner would."""

from __future__ import annotations

from graphcap.graph.document import (
    Break,
    Failure,
    Frame,
    Graph,
    GraphRef,
    Guard,
    Module,
    Node,
    Options,
    Output,
    Placeholder,
    Ref,
    Seq,
    Stage,
    StageId,
    Target,
    TensorMeta,
)
from graphcap.intake.submission import Submission, SubmittedFile
from graphcap.store.captures import Store
from graphcap.store.records import Created

CODE = "import torch\nprint('héllo')\n"
F32 = TensorMeta("float32", (4,), (1,))
STAGES: tuple[StageId, ...] = ("dynamo", "export")
FRAME = Frame("model.py", 2, "forward", "x.sin()", True)
FULL_FRAME = {"file": "model.py", "line": 2, "function": "forward", "code": "x.sin()", "user": True, "place": ""}

BODY = Graph(
    "export.0/text",  # a body may be called what another address ends in
    "text",
    0,
    (
        Node("y", "placeholder", "y", placeholder=Placeholder("input", "y")),
        Node("cos", "call_function", "aten.cos.default", (Ref(0),)),
    ),
    text="graph():\n    body",
    text_lines=(-1, 1),
    parent="export.0",
)
WHOLE = Graph(
    "export.0",
    "Net",
    0,
    (
        Node("x", "placeholder", "x", value=F32, placeholder=Placeholder("input", "x")),
        Node("sin", "call_function", "aten.sin.default", (Ref(0),), value=F32, stack=0, module=0),
        Node("cond", "call_function", "cond", (Ref(1), GraphRef(BODY.id, "text")), bodies=(BODY.id,)),
        Node("output", "output", "output", (Seq("tuple", (Ref(2),)),), returns=(Output("user_output", 2),)),
    ),
    frames=(FRAME,),
    stacks=((0,),),
    modules=((Module("", "Net"), Module("act", "Sin")),),
    text="graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return (cond,)",
    text_lines=(-1, 0, 3),
    readable="class GraphModule:\n    pass",
    readable_lines=(-1, -1),
)
BREAK = Break("print", "Dynamo does not trace print.", ("Remove it.",), "Unsupported", (FRAME,), 0, 1, "whole text")
DYNAMO = Stage(
    "dynamo",
    "failed",
    2.5,
    failures=(Failure("Unsupported", "no", "", FRAME, ("try this",), "trace"),),
    breaks=(BREAK,),
    guards=(Guard(0, "TENSOR_MATCH", "L['x']", ("check_tensor(L['x'])",), FRAME),),
)
EXPORT = Stage("export", "done", 1.5, graphs=(WHOLE, BODY), notes=("a note",))
TARGET = Target("t1", "Net", "the variable `model`", frame=FRAME)


def submission(name: str = "model.py", data: bytes = CODE.encode(), stages: tuple[StageId, ...] = STAGES) -> Submission:
    kind = "pt2" if name.endswith(".pt2") else "py"
    return Submission((SubmittedFile(name, data),), kind, name, Options(stages=stages), "0" * 64)  # type: ignore[arg-type]


def queued(store: Store) -> Created:
    return store.create(submission())


def running(store: Store) -> Created:
    """Found one target; no stage has begun."""
    created = queued(store)
    claimed = store.claim()
    assert claimed is not None and claimed.id == created.id
    store.torch_known(created.id, "2.13.0+cpu")
    store.targets_found(created.id, (TARGET,), STAGES)
    return created


def done(store: Store) -> Created:
    """Every stage ended, text was printed."""
    created = running(store)
    store.stage_ended(created.id, "t1", DYNAMO)
    store.stage_ended(created.id, "t1", EXPORT)
    store.append_log(created.id, "héllo\n")
    store.finish(created.id, "done", log_cut=7)
    return created
