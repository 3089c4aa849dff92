from __future__ import annotations

import pytest
from handmade_graphs import call, random_graph, sound, stacks

from graphcap.analyses.groups import MAX_GROUP_DEPTH, Groups, groups, module_tree
from graphcap.graph.document import Graph, Module, Node, Origin, Output, Placeholder, Ref
from graphcap.graph.edges import edges

BACK = Origin(partitioner_tag="is_backward")


def placed(graph: Graph) -> dict[str, str]:
    """Node name -> path of the group it is drawn in."""
    result = groups(sound(graph), edges(graph))
    return {node.name: result.modules[group].path for node, group in zip(graph.nodes, result.group, strict=True)}


def tree(*paths: str) -> dict[str, str]:
    """Path -> path of its parent."""
    built, _ = module_tree(Graph("export.0", "g", 0, (), modules=tuple((Module(path),) for path in paths)))
    return {group.path: built[group.parent].path for group in built if group.parent >= 0}


def test_the_parent_is_the_longest_prefix_by_dotted_parts() -> None:
    assert tree("a", "a.b.c", "a.b", "ab", "a.bc.d") == {"a": "", "a.b": "a", "a.b.c": "a.b", "ab": "", "a.bc.d": "a"}


def test_containers_that_torch_does_not_record_are_left_out() -> None:
    assert tree("layers.0", "layers.1.lin", "layers.1") == {"layers.0": "", "layers.1": "", "layers.1.lin": "layers.1"}


def test_modules_stand_in_execution_order_and_parents_first() -> None:
    built, of_stack = module_tree(Graph("export.0", "g", 0, (), modules=stacks("b.x", "a", "b", "")))
    assert [group.path for group in built] == ["", "b", "b.x", "a"]
    assert [built[i].path for i in of_stack] == ["b.x", "a", "b", ""]
    assert built[0].cls == "Root"


def test_a_graph_without_modules_has_the_root() -> None:
    built, _ = module_tree(Graph("export.0", "g", 0, ()))
    assert [(group.path, group.parent) for group in built] == [("", -1)]


def test_the_class_comes_from_wherever_it_is_said() -> None:
    built, _ = module_tree(Graph("export.0", "g", 0, (), modules=((Module("a"),), (Module("a", "Linear"),))))
    assert built[1].cls == "Linear"


def test_nesting_is_bounded() -> None:
    built, _ = module_tree(Graph("export.0", "g", 0, (), modules=tuple((Module(".".join("a" * n)),) for n in range(1, 300))))
    depth = [0] * len(built)
    for i, group in enumerate(built[1:], 1):
        depth[i] = depth[group.parent] + 1
    assert len(built) == 300
    assert max(depth) == MAX_GROUP_DEPTH + 1


def parameter(name: str, kind: str = "parameter") -> Node:
    return Node(name, "placeholder", name, placeholder=Placeholder(kind, name))  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["parameter", "buffer", "constant", "saved"])
def test_a_parameter_goes_to_the_smallest_group_around_its_users(kind: str) -> None:
    nodes = (
        parameter("one", kind),
        parameter("two", kind),
        parameter("tied", kind),
        parameter("unused", kind),
        call("a", "aten.mm.default", 0, 1, 2, module=0),
        call("b", "aten.mm.default", 1, 4, module=1),
        call("c", "aten.mm.default", 2, 5, module=2),
    )
    assert placed(Graph("forward.0", "g", 0, nodes, modules=stacks("x.l", "x.m", "y"))) == {
        "one": "x.l",
        "two": "x",
        "tied": "",
        "unused": "",
        "a": "x.l",
        "b": "x.m",
        "c": "y",
    }


def test_returning_a_parameter_does_not_pull_it_out_of_its_group() -> None:
    nodes = (
        parameter("w"),
        call("a", "aten.mm.default", 0, 0, module=0),
        Node("output", "output", "output", (Ref(0), Ref(1)), returns=(Output("user_output", 1), Output("saved", 0))),
    )
    assert placed(Graph("forward.0", "g", 0, nodes, modules=stacks("x"))) == {"w": "x", "a": "x", "output": ""}


@pytest.mark.parametrize("kind", ["input", "tangent"])
def test_inputs_and_outputs_stay_at_the_top(kind: str) -> None:
    nodes = (
        parameter("x", kind),
        call("a", "aten.relu.default", 0, module=0),
        Node("output", "output", "output", (Ref(1),)),
    )
    assert placed(Graph("forward.0", "g", 0, nodes, modules=stacks("m"))) == {"x": "", "a": "m", "output": ""}


def test_a_forward_node_without_a_module_belongs_to_the_top_forward() -> None:
    nodes = (
        parameter("x", "input"),
        call("a", "aten.mm.default", 0, module=0),
        call("relu", "aten.relu.default", 1),
        call("b", "aten.mm.default", 2, module=1),
    )
    assert placed(Graph("dynamo.0", "g", 0, nodes, modules=stacks("fc1", "fc2")))["relu"] == ""


def test_a_backward_node_goes_where_the_forward_node_with_its_seq_nr_is() -> None:
    nodes = (
        parameter("x", "input"),
        call("f", "aten.mm.default", 0, module=0, origin=Origin(seq_nr=7, partitioner_tag="is_forward")),
        call("g", "aten.mul.Tensor", 1, module=1, origin=Origin(seq_nr=8, partitioner_tag="is_forward")),
        call("bg", "aten.mul.Tensor", 2, origin=Origin(seq_nr=8, partitioner_tag="is_backward")),
        call("bf", "aten.mm.default", 3, origin=Origin(seq_nr=7, autograd_backward=True)),
    )
    assert placed(Graph("joint.0", "g", 0, nodes, modules=stacks("m", "k.l"))) == {
        "x": "",
        "f": "m",
        "g": "k.l",
        "bg": "k.l",
        "bf": "m",
    }


def test_a_gradient_accumulation_goes_between_what_it_adds_whatever_its_seq_nr_says() -> None:
    nodes = (
        parameter("t", "tangent"),
        call("forward", "aten.sum.default", 0, module=2, origin=Origin(seq_nr=35, partitioner_tag="is_forward")),
        call("left", "aten.mm.default", 0, module=0, origin=BACK),
        call("right", "aten.mm.default", 2, module=1, origin=BACK),
        call("acc", "aten.add.Tensor", 2, 3, origin=Origin(seq_nr=35, partitioner_tag="is_backward")),
    )
    assert placed(Graph("joint.0", "g", 0, nodes, modules=stacks("layers.0.ln", "layers.0", "head")))["acc"] == "layers.0"


def test_gradients_of_a_residual_stream_are_added_inside_their_block() -> None:
    """What comes from outside and what comes from one part of a block, used by another part of that block and further on."""
    paths = stacks("norm", "blocks.1.norm2", "blocks.1.attention", "blocks.1.norm1", "blocks.0.mlp", "blocks.1", "blocks.0")
    accumulation = Origin(seq_nr=99, partitioner_tag="is_backward")
    nodes = (
        parameter("t", "tangent"),
        call("norm", "aten.native_layer_norm_backward.default", 0, module=0, origin=BACK),
        call("norm2", "aten.native_layer_norm_backward.default", 0, module=1, origin=BACK),
        call("middle", "aten.add.Tensor", 1, 2, origin=accumulation),
        call("attention", "aten.mm.default", 3, module=2, origin=BACK),
        call("norm1", "aten.native_layer_norm_backward.default", 4, module=3, origin=BACK),
        call("start", "aten.add.Tensor", 3, 5, origin=accumulation),
        call("mlp", "aten.mm.default", 6, module=4, origin=BACK),
        call("marks", "aten.mm.default", 7, module=5, origin=BACK),
        call("them", "aten.mm.default", 7, module=6, origin=BACK),
    )
    found = placed(Graph("backward.0", "g", 0, nodes, modules=paths))
    assert (found["middle"], found["start"]) == ("blocks.1", "blocks.1")


def test_what_joins_distant_groups_goes_to_its_users() -> None:
    nodes = (
        parameter("t", "tangent"),
        call("left", "aten.mm.default", 0, module=0, origin=BACK),
        call("right", "aten.mm.default", 1, module=1, origin=BACK),
        call("acc", "aten.add.Tensor", 1, 2, origin=BACK),
        call("use", "aten.mm.default", 3, module=2, origin=BACK),
    )
    assert placed(Graph("backward.0", "g", 0, nodes, modules=stacks("a", "b", "c")))["acc"] == "c"


def test_a_derivative_of_the_top_forward_stays_at_the_top() -> None:
    nodes = (
        parameter("t", "tangent"),
        call("a", "aten.mm.default", 0, module=0, origin=BACK),
        call("relu", "aten.threshold_backward.default", 1, origin=Origin(partitioner_tag="is_backward", source_fn="relu")),
        call("b", "aten.mm.default", 2, module=1, origin=BACK),
    )
    assert placed(Graph("backward.0", "g", 0, nodes, modules=stacks("fc2", "fc1")))["relu"] == ""


@pytest.mark.parametrize("seed", range(30))
def test_every_node_has_a_place_and_what_torch_recorded_stays(seed: int) -> None:
    graph = random_graph(seed)
    result: Groups = groups(graph, edges(graph))
    assert [group.parent < i for i, group in enumerate(result.modules)] == [True] * len(result.modules)
    assert len({group.path for group in result.modules}) == len(result.modules)
    for node, module, group in zip(graph.nodes, result.module, result.group, strict=True):
        assert 0 <= group < len(result.modules)
        if node.module < 0:
            assert module == -1
        else:
            assert result.modules[module].path == graph.modules[node.module][-1].path
        if module >= 0 and node.op.startswith("call_"):
            assert group == module
