from __future__ import annotations

import msgspec
import pytest

from graphcap.graph.added import MAX_PROGRAM, check_added, told_by, with_added
from graphcap.graph.check import MAX_WORDS
from graphcap.graph.codec import DocumentError
from graphcap.graph.document import FailedGuard, Graph, Guard, Node, Recompile, Replay, Stage
from graphcap.graph.stream import Added, Replayed, SavedProgram, decode, frame

X = Node("x", "placeholder", "x")
OWN = Graph("dynamo.0", "g", 0, (X,))
ANEW = Graph("dynamo.0.r1", "g", 0, (X, Node("y", "placeholder", "y")), recompile=1)
SAME = Replay("compared", outputs=1, max_abs=0.0, max_rel=0.0, close=True, worst="output 0")
STAGE = Stage("dynamo", "done", graphs=(OWN,), notes=("first",), guards=(Guard(0, "TENSOR_MATCH", "L['x']"),))
RECOMPILE = Recompile(0, 1, "0/0: tensor 'x' size mismatch", (FailedGuard("tensor 'x' size mismatch", 0),))


def added(**fields: object) -> Added:
    return msgspec.structs.replace(Added("t1", "dynamo"), **fields)


def refused(match: str, max_nodes: int = 100, **fields: object) -> None:
    with pytest.raises(DocumentError, match=match):
        check_added(added(**fields), told_by(STAGE), max_nodes)


def test_what_is_added_is_put_together_with_the_stage() -> None:
    guard = Guard(0, "SHAPE_ENV", "", recompile=1)
    more = added(
        graphs=(ANEW,), replays=(Replayed("dynamo.0", SAME),), notes=("then",), guards=(guard,), recompiles=(RECOMPILE,)
    )
    assert decode(frame(more)[4:]) == more
    told = check_added(more, told_by(STAGE))
    whole = with_added(STAGE, more)
    assert (told.graphs, told.nodes, told.guards) == ({"dynamo.0", "dynamo.0.r1"}, 3, 2)
    assert whole.graphs == (msgspec.structs.replace(OWN, replay=SAME), ANEW)
    assert (whole.notes, whole.guards, whole.recompiles) == (("first", "then"), (*STAGE.guards, guard), (RECOMPILE,))
    assert (whole.id, whole.status, whole.breaks) == (STAGE.id, STAGE.status, STAGE.breaks)


def test_a_graph_may_be_replayed_in_the_message_that_brings_it() -> None:
    check_added(added(graphs=(ANEW,), replays=(Replayed("dynamo.0.r1", SAME),)), told_by(STAGE))


def test_a_graph_comes_once() -> None:
    refused("two graphs are called", graphs=(OWN,))
    told = check_added(added(graphs=(ANEW,)), told_by(STAGE))
    with pytest.raises(DocumentError, match="two graphs are called"):
        check_added(added(graphs=(ANEW,)), told)


def test_a_graph_is_of_the_stage_and_target() -> None:
    refused("is no id", graphs=(Graph("joint.0", "g", 0, (X,)),))
    refused("is not of target", graphs=(Graph("t2.dynamo.1", "g", 1, (X,)),))


def test_a_graph_is_replayed_once() -> None:
    once = Replayed("dynamo.0", SAME)
    refused("replayed twice", replays=(once, once))
    told = check_added(added(replays=(once,)), told_by(STAGE))
    with pytest.raises(DocumentError, match="replayed twice"):
        check_added(added(replays=(once,)), told)
    refused("no graph of it", replays=(Replayed("dynamo.7", SAME),))


@pytest.mark.parametrize("fields", [{"max_abs": -1.0}, {"max_rel": float("inf")}, {"outputs": -1}, {"gradients": -1}])
def test_differences_and_counts_can_be(fields: dict[str, float]) -> None:
    refused("can not be", replays=(Replayed("dynamo.0", msgspec.structs.replace(SAME, **fields)),))


def test_the_limits_of_a_stage_hold_for_all_of_it() -> None:
    refused("more than 2 nodes", max_nodes=2, graphs=(ANEW,))
    refused("is longer than", notes=("a" * MAX_WORDS,))
    half = added(notes=("a" * (MAX_WORDS // 2),))
    with pytest.raises(DocumentError, match="is longer than"):
        check_added(half, check_added(half, told_by(STAGE)))


def test_a_guard_that_failed_is_one_of_the_stage() -> None:
    refused("no such guard", recompiles=(Recompile(0, 1, "why", (FailedGuard("text", 1),)),))
    check_added(added(recompiles=(RECOMPILE,)), told_by(STAGE))


def test_a_program_is_an_archive_of_a_graph_that_is_there_and_comes_once() -> None:
    once = SavedProgram("dynamo.0", b"PK\x03\x04...")
    more = added(programs=(once,))
    assert decode(frame(more)[4:]) == more
    told = check_added(more, told_by(STAGE))
    assert told.programs == {"dynamo.0"} and told.words < 200
    with pytest.raises(DocumentError, match="came twice"):
        check_added(more, told)
    refused("no graph of it", programs=(SavedProgram("dynamo.7", once.data),))
    refused("is no archive", programs=(SavedProgram("dynamo.0", b"\x80\x04 a pickle"),))
    refused("more than", programs=(SavedProgram("dynamo.0", once.data + bytes(MAX_PROGRAM)),))
