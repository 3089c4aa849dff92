from __future__ import annotations

import pytest

from graphcap.analyses.guards.tree import GuardTree, guard_tree
from graphcap.analyses.guards.words import KINDS, fixes, says, word
from graphcap.graph.document import FailedGuard, Frame, Guard, Recompile, Stage

TENSOR = (
    "check_tensor({}, {}, DispatchKeySet(CPU, BackendSelect), torch.float32, device=None, "
    + "requires_grad={}, size=[{}], stride=[{}])"
)


def tensor(source: str, size: str = "4, 16", stride: str = "16, 1", cls: str = "Tensor", grad: bool = False) -> Guard:
    return Guard(
        0, "TENSOR_MATCH", source, (TENSOR.format(source, cls, grad, size, stride), f"hasattr({source}, '_x') == False")
    )


def guard(kind: str, source: str, *code: str, fragment: int = 0, recompile: int = 0) -> Guard:
    return Guard(fragment, kind, source, code, Frame("net.py", 7, "forward", "x = y", True), recompile)


GUARDS = (
    guard("GRAD_MODE", ""),
    guard("TYPE_MATCH", "L['self']", "___check_type_id(L['self'], 9), type=<class 'net.Block'>"),
    guard("TYPE_MATCH", "L['self'].cfg", "___check_type_id(L['self'].cfg, 8), type=<class 'net.Config'>"),
    guard("CONSTANT_MATCH", "L['self'].cfg.mode", "L['self'].cfg.mode == 'gelu'"),
    guard("DICT_KEYS_MATCH", "L['self'].d", "len(L['self'].d) == 2", "list(dict.keys(L['self'].d)) == ['0', '1']"),
    tensor("L['x']"),
    guard("SHAPE_ENV", "", "2 <= L['y'].size()[0]", "L['y'].size()[1] == 16"),
    guard("CONSTANT_MATCH", "L['step']", "L['step'] == 3", fragment=1),
    guard("CONSTANT_MATCH", "L['step']", "L['step'] == 4", recompile=1),
)
RECOMPILE = Recompile(
    0, 1, "0/0: tensor 'x' size mismatch", (FailedGuard("tensor 'x' size mismatch", 5), FailedGuard("what", -1))
)
STAGE = Stage("dynamo", "done", guards=GUARDS, recompiles=(RECOMPILE,))


@pytest.fixture(scope="module")
def tree() -> GuardTree:
    return guard_tree("dynamo.0", 0, 0, STAGE)


def sources(tree: GuardTree) -> list[str]:
    return [place.source for place in tree.places]


def test_what_failed_and_what_is_fixed_comes_first_and_the_global_state_last(tree: GuardTree) -> None:
    assert sources(tree) == [
        "L['x']",
        "L['self']",
        "L['self'].cfg",
        "L['self'].cfg.mode",
        "L['self'].d",
        "L['y']",
        "L['y'].size()",
        "L['y'].size()[1]",
        "L['y'].size()[0]",
        "",
    ]
    assert [place.text for place in tree.places][2:4] == [".cfg", ".mode"]


def test_places_are_in_pre_order_and_count_what_is_below(tree: GuardTree) -> None:
    assert [place.parent for place in tree.places] == [-1, -1, 1, 2, 1, -1, 5, 6, 6, -1]
    assert [(place.checks, place.fixed, place.failed) for place in tree.places[:5]] == [
        (1, 1, 1),
        (4, 2, 0),
        (2, 1, 0),
        (1, 1, 0),
        (1, 1, 0),
    ]
    assert (len(tree.checks), tree.fixed, tree.failed) == (8, 4, 1)
    assert [check.place for check in tree.checks] == sorted(check.place for check in tree.checks)


def test_a_check_says_what_it_checks_and_where_it_came_from(tree: GuardTree) -> None:
    x = tree.checks[0]
    assert (x.word, x.says, x.fixes) == ("tensor", "f32[4, 16], stride [16, 1], no grad", "sizes")
    assert x.failed == ("tensor 'x' size mismatch",)
    mode = next(check for check in tree.checks if tree.places[check.place].source.endswith(".mode"))
    assert (mode.kind, mode.says, mode.fixes, mode.failed) == ("CONSTANT_MATCH", "== 'gelu'", "value", ())
    assert mode.frame is not None and (mode.frame.line, mode.frame.user) == (7, True)


def test_only_the_guards_of_that_code(tree: GuardTree) -> None:
    assert sources(guard_tree("dynamo.1", 1, 0, STAGE)) == ["L['step']"]
    anew = guard_tree("dynamo.0.r1", 0, 1, STAGE)
    assert [check.says for check in anew.checks] == ["== 4"] and anew.failed == 0
    assert guard_tree("dynamo.9", 9, 0, STAGE).places == ()


@pytest.mark.parametrize(
    ("one", "words", "fixed"),
    [
        (tensor("L['x']", "4, None", "None, 1"), "f32[4, any], stride [any, 1], no grad", "sizes"),
        (tensor("L['x']", "None", "1", grad=True), "f32[any], stride [1], requires grad", ""),
        (tensor("L['x']", "", ""), "f32[], stride [], no grad", ""),
        (tensor("L['self'].w", cls="Parameter"), "f32[4, 16], stride [16, 1], no grad", ""),
        (tensor("L['self']._buffers['m']"), "f32[4, 16], stride [16, 1], no grad", ""),
        (Guard(0, "TENSOR_MATCH", "L['x']"), "", ""),
        (guard("EQUALS_MATCH", "L['n']", "L['n'] == (1, 2)"), "== (1, 2)", "value"),
        (guard("BOOL_MATCH", "L['f']", "L['f'] == True"), "== True", "value"),
        (guard("SEQUENCE_LENGTH", "L['l']", "len(L['l']) == 3"), "length == 3", "length"),
        (guard("DICT_KEYS_MATCH", "L['d']", "list(dict.keys(L['d'])) == ['a']"), "keys == ['a']", "length"),
        (
            guard("NOT_PRESENT_IN_GENERIC_DICT", "L['m']", "not ___in('f', L['m'].__dict__)"),
            "not ___in('f', ….__dict__)",
            "",
        ),
        (guard("SHAPE_ENV", "", "2 <= L['x'].size()[0]"), "2 <= L['x'].size()[0]", ""),
        (guard("SHAPE_ENV", "", "L['x'].size()[0] == L['y'].size()[0]"), "L['x'].size()[0] == L['y'].size()[0]", "sizes"),
        (guard("GLOBAL_STATE", "", '___check_global_state() against {"grad_mode":true}'), "", ""),
        (guard("CONSTANT_MATCH", "L['t']", "L['t'] == '" + "a" * 500 + "'"), "== '" + "a" * 195 + "…", "value"),
        (guard("OF_TOMORROW", "L['t']", "whatever(L['t'])"), "whatever(…)", ""),
    ],
)
def test_words_and_what_is_fixed(one: Guard, words: str, fixed: str) -> None:
    assert (says(one), fixes(one)) == (words, fixed)


def test_a_kind_without_a_word_is_said_as_it_is() -> None:
    assert word("OF_TOMORROW") == "OF_TOMORROW" and word("TYPE_MATCH") == "type"
    assert all(kind.word for kind in KINDS.values())


def test_ten_thousand_guards_keep_their_count() -> None:
    many = tuple(guard("TYPE_MATCH", f"L['self']._modules['{i}'].a.b", f"x{i}") for i in range(10_000))
    tree = guard_tree("dynamo.0", 0, 0, Stage("dynamo", "done", guards=many))
    assert len(tree.checks) == 10_000 and len(tree.places) == 30_002
    assert tree.places[0].checks == 10_000
