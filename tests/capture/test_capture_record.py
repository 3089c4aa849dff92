"""FX graphs recorded: text, arguments, values, modules, frames, bodies."""

from __future__ import annotations

import math
import operator
from typing import Any

import pytest
import torch
import torch.fx
from capture_forks import in_fork

from graphcap.capture.fx.modules import clean_path
from graphcap.capture.record import Recorder
from graphcap.graph.check import check_stage
from graphcap.graph.codec import decode, encode
from graphcap.graph.document import Atom, Cut, Graph, Map, Node, Ref, Scalar, Seq, Stage, TensorMeta, Tuple

USERS = {__file__: "mine.py"}


def sent(graphs: list[Graph], stage: Any) -> dict[str, Graph]:
    """The graphs as a reader gets them: encoded, decoded and checked."""
    found = decode(encode(Stage(stage, "done", graphs=tuple(graphs))), Stage)
    check_stage(found, "t1")
    return {graph.id: graph for graph in found.graphs}


def exported(model: torch.nn.Module, *args: Any, **options: Any) -> tuple[torch.export.ExportedProgram, dict[str, Graph]]:
    program = torch.export.export(model, args, **options)
    return program, sent(Recorder(USERS).record(program.graph_module, gid="export.0", title="M"), "export")


def one_node(*args: Any, **kwargs: Any) -> Node:
    """The recorded node of one call with the given arguments; `x` stands for an input."""
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    node = graph.call_function(torch.ops.aten.add.Tensor, tuple(x if a == "x" else a for a in args), kwargs)
    graph.output(node)
    return sent(Recorder({}).record(graph, gid="export.0", title=""), "export")["export.0"].nodes[1]


class Branches(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.seq = torch.nn.Sequential(torch.nn.Linear(3, 3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        def inner(y: torch.Tensor) -> torch.Tensor:
            return torch.cond(y.mean() > 0, torch.sin, torch.cos, (y,))

        return torch.cond(x.sum() > 0, inner, lambda y: y * 2, (self.seq(x),))


def test_bodies_are_graphs_of_their_own_down_to_the_last() -> None:
    def work() -> tuple[dict[str, Graph], str, str]:
        program, graphs = exported(Branches(), torch.ones(2, 3))
        return graphs, str(program.graph), program.graph_module.print_readable(print_output=False)

    graphs, text, readable = in_fork(work)
    parents = {gid: graph.parent for gid, graph in graphs.items()}
    assert parents == {
        "export.0": "",
        "export.0/true_graph_0": "export.0",
        "export.0/false_graph_0": "export.0",
        "export.0/true_graph_0/true_graph_0": "export.0/true_graph_0",
        "export.0/true_graph_0/false_graph_0": "export.0/true_graph_0",
    }
    top = graphs["export.0"]
    (cond,) = [node for node in top.nodes if node.bodies]
    assert cond.target == "torch.ops.higher_order.cond" and cond.tags == ("hop",)
    assert cond.bodies == ("export.0/true_graph_0", "export.0/false_graph_0")
    assert (top.text, top.readable) == (text, readable)


def test_each_line_of_both_texts_belongs_to_the_node_it_prints() -> None:
    graphs = in_fork(lambda: exported(Branches(), torch.ones(2, 3))[1])
    for graph in graphs.values():
        for line, i in zip(graph.text.split("\n"), graph.text_lines, strict=True):
            assert i < 0 or line.strip().startswith(("return", f"%{graph.nodes[i].name} :"))
        assert sorted(i for i in graph.text_lines if i >= 0) == list(range(len(graph.nodes)))
        marked = [i for i in graph.readable_lines if i >= 0]
        assert marked == [i for i, node in enumerate(graph.nodes) if node.op != "placeholder"]


def test_frames_modules_values_and_schema_of_an_exported_node() -> None:
    graph = in_fork(lambda: exported(Branches(), torch.ones(2, 3))[1])["export.0"]
    (linear,) = [node for node in graph.nodes if node.target == "aten.linear.default"]
    frames = [graph.frames[i] for i in graph.stacks[linear.stack]]
    assert [(f.file, f.user) for f in frames if f.user] == [("mine.py", True)]
    assert frames[-1].file == "torch/nn/modules/linear.py" and not frames[-1].user
    assert [(m.path, m.cls) for m in graph.modules[linear.module]] == [
        ("", "Branches"),
        ("seq", "Sequential"),
        ("seq.0", "Linear"),
    ]
    assert linear.value == TensorMeta("float32", (2, 3), (3, 1), requires_grad=True)
    schema = graph.schemas[linear.schema]
    assert schema.text.startswith("aten::linear(Tensor input") and schema.args == ("input", "weight", "bias")
    assert "linear transformation" in schema.doc


def test_a_node_that_a_pass_added_outside_of_any_module_has_none() -> None:
    class Flat(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x.reshape(-1) * x.shape[0]

    def work() -> tuple[Graph, list[Any]]:
        program, graphs = exported(Flat(), torch.ones(4, 3), dynamic_shapes=({0: torch.export.Dim("b")},))
        sizes = [node for node in program.graph.nodes if str(node.target) == "aten.sym_size.int"]
        return graphs["export.0"], [str(node.meta["nn_module_stack"]) for node in sizes]

    graph, said = in_fork(work)
    assert said and all("_empty_nn_module_stack" in stack for stack in said)
    assert {node.module for node in graph.nodes if node.target == "aten.sym_size.int"} == {-1}
    assert [[m.path for m in stack] for stack in graph.modules] == [[""]]


def test_symbolic_dimensions_stand_as_torch_writes_them() -> None:
    class Double(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.cat([x, x]) + x.shape[0]

    def work() -> tuple[Graph, str]:
        program, graphs = exported(Double(), torch.ones(4, 3), dynamic_shapes=({0: torch.export.Dim("b")},))
        (x,) = [node for node in program.graph.nodes if node.name == "x"]
        return graphs["export.0"], str(x.meta["val"].shape[0])

    graph, symbol = in_fork(work)
    values = {node.name: node.value for node in graph.nodes}
    assert values["x"] == TensorMeta("float32", (symbol, 3), (3, 1))
    assert values["cat"] == TensorMeta("float32", (f"2*{symbol}", 3), (3, 1))
    (size,) = [value for value in values.values() if isinstance(value, Scalar)]
    assert size == Scalar("SymInt", symbol)


class Unprintable:
    def __repr__(self) -> str:
        raise ValueError("no")


@pytest.mark.parametrize(
    ("value", "recorded"),
    [
        (True, True),
        (1.5, 1.5),
        (math.inf, Atom("float", "inf")),
        (2**70, Atom("int", str(2**70))),
        (2**63 - 1, 2**63 - 1),
        (1 + 2j, Atom("complex", "(1+2j)")),
        (torch.float16, Atom("dtype", "torch.float16")),
        (torch.device("meta"), Atom("device", "meta")),
        (torch.strided, Atom("layout", "torch.strided")),
        (torch.channels_last, Atom("memory_format", "torch.channels_last")),
        (..., Atom("ellipsis", "Ellipsis")),
        (slice(1, None, 2), Seq("slice", (1, None, 2))),
        ([1, (2, None)], Seq("list", (1, Seq("tuple", (2, None))))),
        ({"a": 1}, Map((("a", 1),))),
        (operator.add, Atom("function", "_operator.add")),
        ("a\udc80", "a\\udc80"),
        ("x" * 5000, Cut("str", 5000, "x" * 200)),
        ([7] * 5000, Cut("list", 5000, str([7] * 5000)[:200] + "...")),
        (torch.ones(2), Atom("tensor", "float32[2]")),
        (Unprintable(), Atom("Unprintable", "<Unprintable that cannot be printed: ValueError>")),
    ],
)
def test_every_kind_of_constant_has_its_place(value: Any, recorded: Any) -> None:
    node = one_node("x", value)
    assert node.args == (Ref(0), recorded)


def test_a_nested_argument_keeps_its_references() -> None:
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    graph.output(graph.call_function(torch.cat, ([x, {"k": x}] + [0] * 2000,)))
    node = sent(Recorder({}).record(graph, gid="dynamo.0", title=""), "dynamo")["dynamo.0"].nodes[1]
    (items,) = node.args
    assert isinstance(items, Seq) and items.items[:2] == (Ref(0), Map((("k", Ref(0)),))) and len(items.items) == 2002
    assert node.target == "torch.cat"


@pytest.mark.parametrize(
    ("value", "recorded"),
    [
        (None, Scalar("NoneType", "None")),
        (3, Scalar("int", "3")),
        ((torch.ones(2), None), Tuple("tuple", (TensorMeta("float32", (2,), (1,)), Scalar("NoneType", "None")))),
        ({"a": torch.ones(0, 3)}, Tuple("tuple", (TensorMeta("float32", (0, 3), (3, 1)),))),
        (torch.ones(2, dtype=torch.complex64), TensorMeta("complex64", (2,), (1,))),
        (torch.ones(2).to_sparse(), TensorMeta("float32", (2,), None, layout="sparse_coo")),
        (torch.ones(2, device="meta", requires_grad=True), TensorMeta("float32", (2,), (1,), "meta", requires_grad=True)),
    ],
)
def test_every_kind_of_value_comes_through(value: Any, recorded: Any) -> None:
    graph = torch.fx.Graph()
    graph.placeholder("x").meta["val"] = value
    graph.output(None)
    nodes = sent(Recorder({}).record(graph, gid="export.0", title=""), "export")["export.0"].nodes
    assert nodes[0].value == recorded


def test_a_tensor_that_cannot_be_read_is_told_and_loses_nothing_else() -> None:
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    x.meta.update(val=torch.nn.parameter.UninitializedParameter(), nn_module_stack="?", from_node=3, stack_trace="?")
    graph.output((x, 3))
    nodes = sent(Recorder({}).record(graph, gid="export.0", title=""), "export")["export.0"].nodes
    assert isinstance(nodes[0].value, Scalar) and "could not be read" in nodes[0].value.text
    assert [output.node for output in nodes[1].returns] == [0, None]


@pytest.mark.parametrize(
    ("path", "clean"),
    [
        ("L['self'].seq.0", "seq.0"),
        ("L['self']", ""),
        ("L['self']._modules['seq']._modules['0']", "seq.0"),
        ("G['model'].layers[3]", "layers.3"),
        ("seq.0@1", "seq.0"),
        ("L__self__", ""),
        ("", ""),
    ],
)
def test_module_paths_are_dotted_and_start_at_the_root(path: str, clean: str) -> None:
    assert clean_path(path) == clean


def test_dynamos_modules_have_the_models_own_paths() -> None:
    def work() -> Graph:
        model = torch.nn.Sequential(torch.nn.Sequential(torch.nn.Linear(2, 2)), torch.nn.ReLU())
        found: list[Graph] = []

        def backend(module: torch.fx.GraphModule, inputs: Any) -> Any:
            found.extend(Recorder(USERS, model).record(module, gid="dynamo.0", title=""))
            return module.forward

        torch.compile(model, backend=backend)(torch.ones(1, 2))
        return sent(found, "dynamo")["dynamo.0"]

    graph = in_fork(work)
    linear, relu = [node for node in graph.nodes if node.op == "call_function"]
    assert (linear.target, relu.target) == ("torch._C._nn.linear", "torch.nn.functional.relu")
    assert [m.path for m in graph.modules[linear.module]] == ["", "0", "0.0"]
    assert [m.path for m in graph.modules[relu.module]] == ["", "1"]
