from __future__ import annotations

import msgspec
import pytest

from graphcap.graph.check import MAX_DEPTH, MAX_EDGES, MAX_SPELLED, MAX_WORDS, check_stage, gid_target
from graphcap.graph.codec import DocumentError
from graphcap.graph.document import (
    Arg,
    FailedGuard,
    Failure,
    Frame,
    Graph,
    GraphRef,
    Guard,
    Map,
    Node,
    Output,
    Placeholder,
    Recompile,
    Ref,
    Seq,
    Stage,
    Statistics,
)
from graphcap.graph.stream import Ended, decode, frame

X = Node("x", "placeholder", "x")


def stage(*nodes: Node, **fields: object) -> Stage:
    graph = msgspec.structs.replace(Graph("export.0", "g", 0, nodes), **fields)
    return Stage("export", "done", graphs=(graph,))


def refused(value: Stage, match: str, target: str = "t1") -> None:
    with pytest.raises(DocumentError, match=match):
        check_stage(value, target)


def test_a_sound_stage_passes() -> None:
    body = Graph("export.0/true_graph_0", "body", 0, (X,), parent="export.0")
    cond = Node("cond", "call_function", "cond", (Ref(0), GraphRef(body.id, "true_graph_0")), bodies=(body.id,))
    whole = Graph("export.0", "g", 0, (X, cond), text="a\nb", text_lines=(0, -1))
    check_stage(Stage("export", "done", graphs=(whole, body)), "t1")


@pytest.mark.parametrize("source", [-1, 1, 2, 10**15])
def test_a_reference_must_point_to_an_earlier_node(source: int) -> None:
    refused(stage(X, Node("y", "call_function", "f", (Seq("list", (Ref(source),)),))), "y: argument 0.* refers to node")
    refused(stage(X, Node("y", "call_function", "f", kwargs=(("k", Ref(source)),))), "y: argument k refers to node")


@pytest.mark.parametrize("name", ["", "x"])
def test_names_are_there_and_unique(name: str) -> None:
    refused(stage(X, Node(name, "call_function", "f")), "empty or taken")


SOUND = Statistics(4, -1.0, 2.0, 0.5, 1.5, zeros=1, nan=1, infinite=1)


def counted(**fields: object) -> Stage:
    placeholder = Placeholder("parameter", "w", statistics=msgspec.structs.replace(SOUND, **fields))
    return stage(Node("p_w", "placeholder", "p_w", placeholder=placeholder))


def test_sound_statistics_pass() -> None:
    check_stage(counted(), "t1")
    check_stage(counted(min=None, max=None, mean=None, std=None), "t1")
    check_stage(counted(min=-1.7e308, max=1.7e308), "t1")


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"count": -1}, "count"),
        ({"count": 10**30}, "count"),
        ({"zeros": 5}, "count"),
        ({"nan": -1}, "count"),
        ({"infinite": 10**40}, "count"),
        ({"mean": float("nan")}, "finite"),
        ({"max": float("inf")}, "finite"),
        ({"std": -0.5}, "negative"),
        ({"min": 1.0}, "in order"),
        ({"mean": 3.0}, "in order"),
        ({"reason": "x" * 2000}, "longer than 1000"),
    ],
)
def test_statistics_that_no_tensor_has_are_refused(fields: dict[str, object], says: str) -> None:
    refused(counted(**fields), f"p_w.*{says}")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999", '"1"', "[]"])
def test_a_number_that_json_has_no_word_for_is_not_read(number: str) -> None:
    message = frame(Ended("t1", counted()))[4:].replace(b'"mean":0.5', f'"mean":{number}'.encode())
    assert number.encode() in message
    with pytest.raises(DocumentError):
        decode(message)


@pytest.mark.parametrize("field", ["stack", "module", "schema"])
@pytest.mark.parametrize("index", [-2, 0, 7])
def test_table_indices_point_inside(field: str, index: int) -> None:
    refused(stage(msgspec.structs.replace(X, **{field: index})), f"{field} {index} of 0")


@pytest.mark.parametrize(
    "gid", ["", "export", "../../etc.0", "joint.0", "export.1", "export.0/" + "a" * 999, "t2.export.0", "export.0\n"]
)
def test_a_gid_is_well_formed_and_of_this_stage_and_target(gid: str) -> None:
    refused(stage(X, id=gid), "is no id|not of target")


@pytest.mark.parametrize(
    ("gid", "fields"),
    [
        ("export.0", {}),
        ("export.0.strict", {"variant": "strict"}),
        ("export.0.r1", {"recompile": 1}),
        ("export.0.r12.default", {"variant": "default", "recompile": 12}),
        ("export.0/a.b-c_0/d", {}),
        ("export.0.draft/a", {"variant": "draft"}),
    ],
)
def test_the_forms_of_a_gid(gid: str, fields: dict[str, object]) -> None:
    check_stage(stage(X, id=gid, **fields), "t1")
    assert gid_target(gid) == "t1"
    check_stage(stage(X, id="t12." + gid, **fields), "t12")


@pytest.mark.parametrize(
    ("gid", "fields"),
    [
        ("export.0", {"variant": "strict"}),
        ("export.0.strict", {}),
        ("export.0.r1", {}),
        ("export.0", {"recompile": 1}),
        ("export.0.r01", {"recompile": 1}),
        ("export.0.r2", {"recompile": 1}),
        ("export.0.default.r1", {"variant": "default", "recompile": 1}),
    ],
)
def test_a_gid_says_what_the_graph_says_of_itself(gid: str, fields: dict[str, object]) -> None:
    refused(stage(X, id=gid, **fields), "is no id")


@pytest.mark.parametrize("guard", [-2, 1])
def test_a_guard_that_failed_is_one_of_the_stage(guard: int) -> None:
    recompile = Recompile(0, 1, "why", (FailedGuard("tensor 'x'", guard),))
    guarded = msgspec.structs.replace(stage(X), guards=(Guard(0, "TENSOR_MATCH", "L['x']"),), recompiles=(recompile,))
    refused(guarded, "no such guard")


def test_two_graphs_of_one_name_are_refused() -> None:
    refused(Stage("export", "done", graphs=(Graph("export.0", "", 0, ()), Graph("export.0", "", 0, ()))), "two graphs")


def test_bodies_and_parents_are_in_the_stage() -> None:
    refused(stage(msgspec.structs.replace(X, bodies=("export.0/b",))), "body 'export.0/b'")
    refused(stage(X, Node("h", "call_function", "h", (Seq("tuple", (GraphRef("export.0/b", "b"),)),))), "body 'export.0/b'")
    refused(stage(X, parent="export.7"), "parent")


def test_line_marks_match_the_text() -> None:
    refused(stage(X, text="a\nb", text_lines=(0,)), "1 line marks for 2 lines")
    refused(stage(X, text="a", text_lines=(1,)), "not there")


def test_outputs_refer_to_nodes() -> None:
    refused(stage(X, Node("output", "output", "output", returns=(Output("user_output", 5),))), "output refers")


def test_nesting_has_an_end() -> None:
    arg: Arg = 1
    for _ in range(MAX_DEPTH + 1):
        arg = Seq("list", (arg,))
    refused(stage(Node("x", "call_function", "f", (arg,))), "nested deeper")


LONG = "n" * (1 << 20)
MANY = MAX_SPELLED // len(LONG) + 1  # uses of a long name that are too many


@pytest.mark.parametrize(
    "user",
    [
        Node("y", "call_function", "f", (Seq("list", (Ref(0),) * MANY),)),  # the name of what is read, at every use
        Node("y" * len(LONG), "call_function", "f", (Ref(1),) * MANY),  # the name of the reader, at every use
        Node("y", "call_function", "f", (Map(((LONG, Seq("list", (Ref(1),) * MANY)),)),)),  # a key
        Node("y", "call_function", "f", kwargs=((LONG, Seq("list", (Ref(1),) * MANY)),)),
        Node("output", "output", "output", returns=(Output("user_output", 0),) * MANY),
    ],
)
def test_a_small_document_can_not_ask_for_a_huge_answer(user: Node) -> None:
    refused(stage(Node(LONG, "placeholder", "x"), X, user), "too long to write out")


def test_long_names_used_a_few_times_pass() -> None:
    check_stage(stage(Node(LONG, "placeholder", "x"), Node("y", "call_function", "f", (Ref(0),) * (MANY // 2))), "t1")


def test_a_stack_is_short_enough_to_write_out() -> None:
    frames = (Frame("m.py", 1, code=LONG),)
    refused(stage(X, frames=frames, stacks=((0,) * MANY,)), "a stack is too long")
    check_stage(stage(X, frames=frames, stacks=((0,),)), "t1")


def test_what_every_answer_repeats_is_short() -> None:
    long = "w" * MAX_WORDS
    refused(Stage("export", "skipped", reason=long), "longer than")
    refused(Stage("export", "failed", failures=(Failure("E", long),)), "longer than")
    refused(stage(X, title=long), "longer than")


def test_edges_have_an_end() -> None:
    row = Seq("list", (Ref(0),) * 10_001)
    many = tuple(Node(f"n{i}", "call_function", "f", (row,)) for i in range(MAX_EDGES // 10_000))
    refused(stage(X, *many), f"more than {MAX_EDGES} edges")
    check_stage(stage(X, *many[:10]), "t1")
