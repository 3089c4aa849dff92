"""The two halves of a cut by hand, as short as they can be."""

from __future__ import annotations

from typing import Any

import pytest
from handmade_graphs import F32, call, sound, stacks

from graphcap.analyses.mirror.compare import Difference
from graphcap.analyses.mirror.mirror import Mirror, Pair, backward_gid, mirror, other_gids, partitioner_of
from graphcap.analyses.mirror.partition import Partition, Saved, partition
from graphcap.analyses.mirror.reasons import Partitioner
from graphcap.analyses.mirror.storages import reach_bytes, roots
from graphcap.graph.document import (
    Graph,
    Module,
    Node,
    Origin,
    Output,
    Placeholder,
    PlaceholderKind,
    Ref,
    Scalar,
    Seq,
    TensorMeta,
    Tuple,
)

VIEW = ("view",)


def given(name: str, kind: PlaceholderKind, label: str = "", value: Any = F32) -> Node:
    return Node(name, "placeholder", name, value=value, placeholder=Placeholder(kind, label or name))


def output(*returns: Output) -> Node:
    refs = tuple(None if each.node is None else Ref(each.node) for each in returns)
    return Node("output", "output", "output", (Seq("tuple", refs),), returns=returns)


def tensor(*shape: int | str, dtype: str = "float32", stride: tuple[int | str, ...] | None = None) -> TensorMeta:
    if stride is None:
        stride = ()
        reach = 1
        for size in reversed(shape):
            stride = (reach, *stride)
            reach *= size if isinstance(size, int) else 1
    return TensorMeta(dtype, shape, stride)


MODULES = stacks("", "mlp", "mlp.0", "norm")
ROOT, MLP, LINEAR, NORM = range(4)


def halves(*, again: bool = True) -> tuple[Graph, Graph]:
    """x -> mm(x, w) in mlp.0 -> relu in mlp -> user output; mm, w and x are saved, relu is computed again."""
    forward = sound(
        Graph(
            "forward.0",
            "",
            0,
            (
                given("primals_1", "input", "x"),
                given("primals_2", "parameter", "mlp.0.weight", tensor(3, 4)),
                call("mm", "aten.mm.default", 0, 1, value=tensor(2, 4), module=LINEAR, origin=Origin(seq_nr=1)),
                call("relu", "aten.relu.default", 2, value=tensor(2, 4), module=MLP, origin=Origin(seq_nr=2)),
                output(
                    Output("user_output", 3),
                    Output("saved", 0, "x"),
                    Output("saved", 1, "mlp.0.weight"),
                    Output("saved", 2, "mm"),
                ),
            ),
            modules=MODULES,
        )
    )
    backward = sound(
        Graph(
            "backward.0",
            "",
            0,
            (
                given("primals_1", "saved", "x"),
                given("primals_2", "saved", "mlp.0.weight", tensor(3, 4)),
                given("mm", "saved", "mm", tensor(2, 4)),
                given("tangents_1", "tangent", "output 0", tensor(2, 4)),
                call("relu" if again else "sign", "aten.relu.default", 2, value=tensor(2, 4), module=MLP),
                call("mul", "aten.mul.Tensor", 3, 4, value=tensor(2, 4), module=MLP, origin=Origin(seq_nr=2)),
                call("mm_1", "aten.mm.default", 0, 5, value=tensor(3, 4), module=LINEAR, origin=Origin(seq_nr=1)),
                output(Output("gradient", None, "x"), Output("gradient", 6, "mlp.0.weight")),
            ),
            modules=MODULES,
        )
    )
    return forward, backward


def cut(partitioner: Partitioner = "min_cut", **kwargs: Any) -> Partition:
    return partition(*halves(**kwargs), partitioner)


def test_saved_values_are_the_placeholders_that_the_forward_has() -> None:
    found = cut()
    assert (found.forward, found.backward) == ("forward.0", "backward.0")
    assert [(each.name, each.label, each.kind, each.forward, each.backward) for each in found.saved] == [
        ("primals_1", "x", "input", 0, 0),
        ("primals_2", "mlp.0.weight", "parameter", 1, 1),
        ("mm", "mm", "call", 2, 2),
    ]
    assert [each.readers for each in found.saved] == [(6,), (), (4,)]
    assert [each.module for each in found.saved] == ["", "mlp.0", "mlp.0"]
    assert found.saved[2].type == "f32[2, 4]"
    assert (found.saved[2].dtype, found.saved[2].shape, found.saved[2].bytes) == ("float32", (2, 4), 32)


def test_recomputed_is_what_both_halves_call() -> None:
    (again,) = cut().recomputed
    assert (again.name, again.forward, again.backward, again.module, again.free) == ("relu", 3, 4, "mlp", False)
    assert cut(again=False).recomputed == ()


def test_totals_count_storages_once_and_tell_what_is_there_anyway() -> None:
    totals = cut().totals
    assert (totals.saved, totals.bytes, totals.held_bytes, totals.unknown) == (3, 24 + 48 + 32, 24 + 48, 0)
    assert (totals.recomputed, totals.free, totals.gradients) == (1, 0, 1)
    assert [(each.name, each.node) for each in cut().gradients] == [("x", None), ("mlp.0.weight", 6)]


def one_saved(*nodes: Node, partitioner: Partitioner = "min_cut", returned: int | None = None) -> tuple[Saved, Partition]:
    """The cut that saves the last of the nodes, read by nothing."""
    last = len(nodes) - 1
    returns = [Output("saved", last)] + ([] if returned is None else [Output("user_output", returned)])
    forward = sound(Graph("forward.0", "", 0, (*nodes, output(*returns))))
    taken = given(nodes[last].name, "saved", value=nodes[last].value)
    backward = sound(Graph("backward.0", "", 0, (taken, output())))
    found = partition(forward, backward, partitioner)
    return found.saved[0], found


X = given("x", "input", value=tensor(4, 8))


def test_a_view_keeps_the_whole_storage_it_lies_in() -> None:
    saved, found = one_saved(
        X,
        call("exp", "aten.exp.default", 0, value=tensor(4, 8)),
        call("slice_1", "aten.slice.Tensor", 1, value=tensor(1, 8), tags=VIEW),
        call("detach", "aten.detach.default", 2, value=tensor(1, 8), tags=VIEW),
    )
    assert (saved.view, saved.bytes, found.totals.bytes, found.totals.held_bytes) == (True, 128, 128, 0)
    assert [(each.name, each.held) for each in found.storages] == [("exp", False)]


def test_two_views_of_one_storage_count_it_once() -> None:
    x = given("x", "parameter", "w", tensor(4, 8))
    views = (
        call("t", "aten.t.default", 0, value=tensor(8, 4, stride=(1, 8)), tags=VIEW),
        call("view", "aten.view.default", 0, value=tensor(32), tags=VIEW),
    )
    forward = sound(Graph("forward.0", "", 0, (x, *views, output(Output("saved", 1), Output("saved", 2)))))
    backward = sound(
        Graph("backward.0", "", 0, (given("t", "saved"), given("view", "saved"), output())),
    )
    found = partition(forward, backward, "min_cut")
    assert [each.bytes for each in found.saved] == [128, 128]
    assert [each.storage for each in found.saved] == [0, 0]
    assert [(each.name, each.held, each.bytes, each.saved) for each in found.storages] == [("x", True, 128, (0, 1))]
    assert found.totals.bytes == found.totals.held_bytes == 128


def test_values_of_one_call_have_a_storage_each_and_parts_of_a_split_share_one() -> None:
    pair = Tuple("tuple", (tensor(4, 8), tensor(4)))
    parts = Tuple("list", (tensor(2, 8), tensor(2, 8)))
    graph = Graph(
        "forward.0",
        "",
        0,
        (
            X,
            call("max_1", "aten.max.dim", 0, value=pair),
            Node("getitem", "call_function", "operator.getitem", (Ref(1), 0), value=tensor(4, 8)),
            Node("getitem_1", "call_function", "operator.getitem", (Ref(1), 1), value=tensor(4)),
            call("split", "aten.split.Tensor", 2, value=parts, tags=VIEW),
            Node("getitem_2", "call_function", "operator.getitem", (Ref(4), 0), value=tensor(2, 8)),
            Node("getitem_3", "call_function", "operator.getitem", (Ref(4), 1), value=tensor(2, 8)),
            call("clone", "aten.clone.default", 5, value=tensor(2, 8)),
            call("_unsafe_view", "aten._unsafe_view.default", 7, value=tensor(16)),
        ),
    )
    found = roots(graph)
    assert found[2] == (1, 0)
    assert found[3] == (1, 1)
    assert found[5] == found[6] == found[2]
    assert found[7] == (7, -1)
    assert found[8] == found[7]


def test_inputs_may_lie_in_one_storage() -> None:
    left = given("left", "input", value=TensorMeta("float32", (4, 3), (8, 1), storage_bytes=128))
    right = given("right", "input", value=TensorMeta("float32", (4, 5), (8, 1), storage_bytes=128, storage_of=0))
    assert roots(Graph("forward.0", "", 0, (left, right))) == [(0, -1), (0, -1)]
    forged = given("forged", "input", value=TensorMeta("float32", (4, 5), (8, 1), storage_of=7))
    assert roots(Graph("forward.0", "", 0, (left, forged))) == [(0, -1), (1, -1)]


def test_an_operator_that_only_writes_into_an_argument_makes_its_own_values() -> None:
    writes = call("norm", "aten._native_batch_norm_legit.default", 0, value=tensor(4, 8), tags=("inplace",))
    copied = call("copy_", "aten.copy_.default", 0, 1, value=tensor(4, 8), tags=("inplace",))
    assert roots(Graph("forward.0", "", 0, (X, writes, copied))) == [(0, -1), (1, -1), (0, -1)]


@pytest.mark.parametrize(
    ("value", "bytes_"),
    [
        (tensor(2, 3), 24),
        (tensor(), 4),
        (tensor(3, 0), 0),
        (tensor(2, 3, stride=(1, 2)), 24),  # channels last and the like: no holes
        (tensor(2, 3, stride=(8, 1)), 44),  # rows of eight: a hole after the third
        (tensor(5, 3, stride=(0, 1)), 12),  # expanded
        (tensor(7, dtype="quint4x2"), 4),
        (TensorMeta("float32", (2, 3), (3, 1), storage_bytes=400), 400),  # an input that is a view of something larger
        (TensorMeta("float32", (2, 3), (3, 1), storage_bytes=-1), 24),
        (tensor("s0", 3), None),
        (TensorMeta("float32", (2, 3), ("s1", 1)), None),
        (TensorMeta("float32", (2, 3), None, layout="sparse_coo"), None),
        (TensorMeta("float999", (2, 3), (3, 1)), None),
        (TensorMeta("float32", (1 << 62, 1 << 62), (1, 1 << 62)), None),
    ],
)
def test_bytes_reach_as_far_as_the_strides(value: TensorMeta, bytes_: int | None) -> None:
    assert reach_bytes(value) == bytes_


def test_sizes_are_saved_without_memory_and_symbolic_tensors_have_no_number() -> None:
    number, found = one_saved(given("s0", "symint", value=Scalar("SymInt", "s0")))
    assert (number.kind, number.bytes, number.storage, number.reasons) == ("size", None, -1, ("size",))
    assert (found.totals.saved, found.totals.sizes, found.totals.unknown) == (0, 1, 0)
    dynamic, found = one_saved(X, call("exp", "aten.exp.default", 0, value=tensor("s0", 8)))
    assert (dynamic.bytes, found.totals.bytes, found.totals.unknown) == (None, 0, 1)


def exp(*tags: str, value: Any = X.value, origin: Origin | None = None, target: str = "aten.exp.default") -> Node:
    return call("made", target, 0, value=value, tags=tags, origin=origin)


def says(text: str, **more: Any) -> Origin:
    return Origin(not_recomputed=text, **more)


OTHER = call("other", "aten.add.Tensor", 0, value=tensor(4, 8), origin=says("materialized in backward"))
"""A node of which min-cut said something: it was listened to."""


@pytest.mark.parametrize(
    ("nodes", "why"),
    [
        ((X,), ("input",)),
        ((X, exp()), ("unknown",)),
        ((X, OTHER, exp()), ("cheapest",)),
        ((X, exp(origin=says("not in recomputable allowlist"))), ("not_recomputable",)),
        (
            (X, exp("compute_intensive", origin=says("not in recomputable allowlist"))),
            ("not_recomputable", "compute_intensive"),
        ),
        ((X, exp("random", origin=says("random op"))), ("random",)),
        ((X, exp(origin=says("reduction op"))), ("reduction",)),
        ((X, exp(origin=says("too far from backward"))), ("far",)),
        ((X, exp(origin=says("something torch may say one day"))), ("forbidden",)),
        ((X, OTHER, exp("view", "random", target="aten.view.default")), ("cheapest",)),
        ((X, exp(origin=says("marked MUST_SAVE", recompute="MUST_SAVE"))), ("marked",)),
        ((X, OTHER, exp(origin=Origin(recompute="PREFER_RECOMPUTE"))), ("cheapest",)),
    ],
)
def test_why_it_is_not_computed_again(nodes: tuple[Node, ...], why: tuple[str, ...]) -> None:
    assert one_saved(*nodes)[0].reasons == why


def test_one_of_several_values_has_the_reasons_of_the_call_that_gave_it() -> None:
    pair = Tuple("tuple", (tensor(4, 8), tensor(4, 8)))
    origin = says("not in recomputable allowlist")
    dropout = call("dropout", "aten.native_dropout.default", 0, value=pair, tags=("random",), origin=origin)
    taken = Node("getitem", "call_function", "operator.getitem", (Ref(1), 1), value=tensor(4, 8))
    saved, _ = one_saved(X, dropout, taken)
    assert saved.reasons == ("not_recomputable", "random")
    assert saved.said == "not in recomputable allowlist"
    assert not saved.view


def test_the_default_partitioner_weighs_nothing() -> None:
    assert one_saved(X, exp("compute_intensive"), partitioner="default")[0].reasons == ("saves_all",)


def test_what_is_returned_anyway_costs_nothing_more() -> None:
    detach = call("detach", "aten.detach.default", 1, value=tensor(4, 8), tags=VIEW)
    saved, _ = one_saved(X, exp(), detach, returned=1)
    assert saved.reasons == ("returned",)


# ------------------------------------------------------------------------------------------------------------------ rows


def whole(**kwargs: Any) -> Mirror:
    return mirror(Pair(*halves(**kwargs), "min_cut"))


def test_rows_are_the_modules_of_both_halves_with_what_is_inside_them() -> None:
    found = {row.path: row for row in whole().rows}
    assert [(row.path, row.parent) for row in whole().rows] == [("", -1), ("mlp", 0), ("mlp.0", 1), ("norm", 0)]
    assert (found["mlp.0"].forward, found["mlp.0"].backward) == (1, 1)
    assert (found["mlp"].forward, found["mlp"].backward, found["mlp"].recomputed) == (2, 3, 1)
    assert (found["mlp"].saved, found["mlp"].bytes) == (2, 48 + 32)
    assert (found[""].saved, found[""].bytes) == (3, 24 + 48 + 32)


def test_rows_join_modules_that_only_one_half_has() -> None:
    forward, backward = halves()
    alone = Graph(
        forward.id,
        "",
        0,
        forward.nodes,
        modules=((Module("", "Root"),), *([Module("", "Root"), Module("a.b", "M")] for _ in range(3))),  # type: ignore[arg-type]
    )
    other = Graph(
        backward.id,
        "",
        0,
        backward.nodes,
        modules=((Module("", "Root"),), *([Module("", "Root"), Module("a", "M"), Module("a.c", "")] for _ in range(3))),  # type: ignore[arg-type]
    )
    found = mirror(Pair(alone, other, "min_cut")).rows
    assert [(row.path, row.parent) for row in found] == [("", -1), ("a", 0), ("a.b", 1), ("a.c", 1)]


def test_kin_is_by_name_then_by_number_and_module() -> None:
    assert whole().kin == [0, 1, 2, -1, 3, 3, 2, -1]


# ------------------------------------------------------------------------------------------------------------- comparing


def test_two_ways_to_cut_are_compared_name_by_name() -> None:
    forward, backward = halves(again=False)
    renamed = [given("relu", "saved", value=tensor(2, 4)), *backward.nodes[1:]]
    other = Pair(forward, Graph("backward.0", "", 0, tuple(renamed), modules=MODULES), "default")
    found = mirror(Pair(*halves(), "min_cut"), other)
    assert found.other is not None
    assert found.other.partitioner == "default"
    assert found.difference == (
        Difference("primals_1", "f32[2, 3]", 0, -1, False, False, False),
        Difference("primals_2", "f32[3, 4]", 1, 1, False, False, False),
        Difference("mm", "f32[2, 4]", 2, 2, False, False, False),
        Difference("relu", "f32[2, 4]", -1, 0, True, False, False),
    )
    assert whole().other is None
    assert whole().difference == ()


def test_another_view_of_the_same_memory_is_no_difference_of_memory() -> None:
    t = call("t", "aten.t.default", 0, value=tensor(8, 4, stride=(1, 8)), tags=VIEW)

    def saving(name: str, index: int) -> Pair:
        forward = sound(Graph("forward.0", "", 0, (X, t, output(Output("saved", index)))))
        return Pair(forward, sound(Graph("backward.0", "", 0, (given(name, "saved"), output()))), "min_cut")

    found = mirror(saving("x", 0), saving("t", 1)).difference
    assert [(each.name, each.here, each.there, each.same_memory) for each in found] == [
        ("x", 0, -1, True),
        ("t", -1, 0, True),
    ]


@pytest.mark.parametrize(
    ("gid", "backward", "others"),
    [
        ("forward.0", "backward.0", ("forward.0.min_cut", "forward.0.default")),
        ("t2.forward.11", "t2.backward.11", ("t2.forward.11.min_cut", "t2.forward.11.default")),
        ("forward.0.r1", "backward.0.r1", ("forward.0.r1.min_cut", "forward.0.r1.default")),
        ("forward.0.default", "backward.0.default", ("forward.0",)),
        ("forward.0/body", None, None),
        ("backward.0", None, None),
        ("export.0", None, None),
    ],
)
def test_gids_of_a_pair(gid: str, backward: str | None, others: tuple[str, ...] | None) -> None:
    assert backward_gid(gid) == backward
    if others is not None:
        assert other_gids(gid) == others


def test_who_cut_is_said_by_the_variant() -> None:
    assert partitioner_of("forward.0", "min_cut") == "min_cut"
    assert partitioner_of("t2.forward.0.default", "min_cut") == "default"
    assert partitioner_of("forward.0.min_cut", "default") == "min_cut"
