from __future__ import annotations

from textwrap import dedent
from typing import NamedTuple

import pytest
from msgspec.json import encode

from graphcap.analyses.story.facts import Between, Excerpt, Fragment, Story
from graphcap.analyses.story.story import Captured, Head, story, told
from graphcap.graph.document import SECOND, Break, FailedGuard, Frame, Graph, Guard, Node, Recompile, Stage

CODE = dedent(
    """\
    import torch


    def report(x):
        print("norm",
              float(x.norm()))
        return x


    def scale(x):
        return x * 2


    def forward(x, flag):
        x = scale(x)
        x = x.sin()
        x = report(x)
        x = x.cos()
        if x.sum() > 0:
            x = x + 1
        return x.tanh()
    """
)
LINES = CODE.split("\n")


def line(text: str) -> int:
    return next(i for i, each in enumerate(LINES, 1) if text in each)


def frame(text: str, function: str = "forward") -> Frame:
    return Frame("net.py", line(text), function, LINES[line(text) - 1].strip(), True)


TORCH = Frame("torch/nn/modules/module.py", 5, "_call_impl")


def fragment(number: int, *calls: tuple[str, tuple[Frame, ...]], gid: str = "", **fields: object) -> Graph:
    """A graph with these calls, each with its stack."""
    frames = tuple(dict.fromkeys(each for _, stack in calls for each in stack))
    nodes = [Node("x", "placeholder", "x")]
    nodes += [Node(f"n{i}", "call_method", name, stack=i) for i, (name, _) in enumerate(calls)]
    stacks = tuple(tuple(frames.index(each) for each in stack) for _, stack in calls)
    return Graph(
        gid or f"dynamo.{number}", "net", number, (*nodes, Node("output", "output", "output")), frames, stacks, **fields
    )  # type: ignore[arg-type]


class Summary(NamedTuple):
    id: str
    fragment: int
    nodes: int
    parent: str = ""
    variant: str = ""
    recompile: int = 0


GRAPHS = (
    fragment(0, ("mul", (frame("= scale(x)"), frame("x * 2", "scale"))), ("sin", (frame("x.sin()"), TORCH))),
    fragment(1, ("norm", (frame("x.norm()", "report"),))),
    fragment(2, ("cos", (frame("x.cos()"),)), ("sum", (frame("x.sum()"),)), ("gt", (frame("x.sum()"),))),
    fragment(3, ("add", (frame("x + 1"),)), ("tanh", (frame("x.tanh()"),))),
)
BREAKS = (
    Break("item", "why", ("try",), "Tensor.item", (frame("= report(x)"), frame("x.norm()", "report")), 1, 2, "whole"),
    Break("print", kind="print", frames=(frame("print", "report"),), before=1, after=2),
    Break("jump", kind="Data-dependent branching", frames=(frame("if x.sum"),), before=2, after=3),
)
GUARDS = (
    Guard(0, "TYPE_MATCH", "L['x']", ("___check_type_id(L['x'], 1), type=<class 'Tensor'>",)),
    Guard(0, "CONSTANT_MATCH", "L['flag']", ("L['flag'] == 3",)),
    Guard(0, "SEQUENCE_LENGTH", "L['l']", ("len(L['l']) == 3",)),
    Guard(0, "CONSTANT_MATCH", "L['flag']", ("L['flag'] == 4",), recompile=1),
    Guard(2, "CONSTANT_MATCH", "L['y']", ("L['y'] == 1",)),
)
STAGE = Stage("dynamo", "done", notes=("a note",), breaks=BREAKS, guards=GUARDS)
HEADS: dict[str, tuple[Head, ...]] = {
    "dynamo": tuple(Summary(graph.id, graph.fragment, len(graph.nodes)) for graph in GRAPHS),
    "forward": (
        Summary("forward.0", 0, 9),
        Summary("forward.0.default", 0, 8, variant="default"),
        Summary("forward.2", 2, 7),
    ),
    "joint": (Summary("joint.0", 0, 20), Summary("joint.0/body", 0, 4, parent="joint.0")),
}


def tell(
    stage: Stage = STAGE,
    graphs: tuple[Graph, ...] = GRAPHS,
    heads: dict[str, tuple[Head, ...]] | None = None,
    files: dict[str, str] | None = None,
) -> Story:
    own = tuple(Summary(graph.id, graph.fragment, len(graph.nodes), "", graph.variant, graph.recompile) for graph in graphs)
    chosen = heads or {**HEADS, "dynamo": own}
    whole = {head.id: next(graph for graph in graphs if graph.id == head.id) for head in told(chosen["dynamo"])}
    return story(Captured("t1", "net", stage, whole, chosen, {"net.py": CODE} if files is None else files))


@pytest.fixture(scope="module")
def whole() -> Story:
    return tell()


def fragments(found: Story) -> list[Fragment]:
    return [step for step in found.steps if isinstance(step, Fragment)]


def gaps(found: Story) -> list[Between]:
    return [step for step in found.steps if isinstance(step, Between)]


def shown(part: Excerpt) -> list[tuple[int, str]]:
    return [(each.line, each.mark) for each in part.lines]


def test_fragments_and_python_take_turns(whole: Story) -> None:
    steps = [step.fragment if isinstance(step, Fragment) else step.how for step in whole.steps]
    assert steps == [0, "call", 1, "break", 2, "break", 3]
    assert [(gap.before, gap.after) for gap in gaps(whole)] == [(0, 1), (1, 2), (2, 3)]
    assert (whole.status, whole.notes) == ("done", ("a note",))


def test_every_line_of_the_function_is_told_once(whole: Story) -> None:
    own = [part.lines for step in whole.steps for part in step.parts if part.function == "forward"]
    told_of = [each.line for lines in own for each in lines if each.mark != "calls"]
    twice = line("if x.sum")  # its test is computed in the fragment, its branch is taken by Python
    assert sorted(told_of) == sorted(
        [*(n for n in range(line("def forward"), line("x.tanh()") + 1) if n != line("= report(x)")), twice]
    )


def test_the_lines_of_a_fragment(whole: Story) -> None:
    first, second, third, last = fragments(whole)
    assert shown(first.parts[0]) == [(14, "defines"), (15, ""), (16, "")]
    assert [each.nodes for each in first.parts[0].lines] == [0, 1, 1]
    assert [each.text for each in first.parts[0].lines] == LINES[13:16]
    assert (first.parts[1].function, [each.line for each in first.parts[1].lines]) == ("scale", [11])  # what it inlined
    assert [each.line for each in second.parts[0].lines] == [4, 5, 6]
    assert [each.line for each in third.parts[0].lines] == [18, 19]
    assert [each.line for each in last.parts[0].lines] == [20, 21]


def test_the_python_between(whole: Story) -> None:
    call, item, jump = gaps(whole)
    assert (call.function, [shown(part) for part in call.parts]) == ("report", [[(17, "calls")]])
    assert [part.function for part in item.parts] == ["forward", "report"]
    assert shown(item.parts[0]) == [(17, "calls")]
    assert shown(item.parts[1]) == [(5, "stops"), (6, "stops"), (7, "")]  # a statement of two lines, and the rest of report
    assert [shown(part) for part in jump.parts] == [[(19, "stops")]]


def test_stops_have_torchs_words_and_the_stack(whole: Story) -> None:
    item = gaps(whole)[1]
    assert [(stop.number, stop.kind, stop.reason) for stop in item.stops] == [
        (0, "Tensor.item", "item"),
        (1, "print", "print"),
    ]
    stop = item.stops[0]
    assert (stop.explanation, stop.hints, stop.text) == ("why", ("try",), "whole")
    assert [each.function for each in stop.frames] == ["forward", "report"]
    assert b'"function":"","code":"","user":false' in encode(
        tell(Stage("dynamo", "done", breaks=(Break("r", frames=(Frame("a", 1),)),)))
    )


def test_where_a_fragment_is_drawn(whole: Story) -> None:
    first, second = fragments(whole)[:2]
    assert [(drawn.stage, drawn.graph, drawn.nodes) for drawn in first.drawn] == [
        ("dynamo", "dynamo.0", 4),
        ("joint", "joint.0", 20),
        ("forward", "forward.0", 9),
    ]
    assert [drawn.graph for drawn in second.drawn] == ["dynamo.1"]


def test_the_calls_of_a_fragment() -> None:
    stack = (frame("x.sin()"),)
    few = fragments(tell(graphs=(fragment(0, *[(f"op{i}", stack) for i in range(9)]),)))[0]
    many = fragments(tell(graphs=(fragment(0, *[(f"op{i}", stack) for i in range(40)]),)))[0]
    assert ([op.label for op in (*few.first, *few.last)], few.left_out) == ([f"op{i}" for i in range(9)], 0)
    assert [op.label for op in (*many.first, *many.last)] == [f"op{i}" for i in (0, 1, 2, 3, 4, 5, 37, 38, 39)]
    assert (many.calls, many.left_out, many.nodes) == (40, 31, 42)


def test_guards_that_specialise(whole: Story) -> None:
    first = fragments(whole)[0]
    assert (first.guards, first.fixed) == (3, 2)
    assert [(each.source, each.says, each.fixes) for each in first.special] == [
        ("L['flag']", "== 3", "value"),
        ("L['l']", "length == 3", "length"),
    ]


def test_a_persons_own_values_come_before_those_of_torchs_modules() -> None:
    guards = (
        Guard(0, "CONSTANT_MATCH", "L['self']._modules['norm'].eps", ("L['self']._modules['norm'].eps == 1e-05",)),
        Guard(0, "SEQUENCE_LENGTH", "L['l']", ("len(L['l']) == 3",)),
        Guard(0, "CONSTANT_MATCH", "G['HEADS']", ("G['HEADS'] == 4",)),
    )
    first = fragments(tell(Stage("dynamo", "done", guards=guards)))[0]
    assert [each.says for each in first.special] == ["== 4", "length == 3", "== 1e-05"]


def test_what_the_second_inputs_make_torch_compile() -> None:
    anew = Recompile(0, 1, "0/0: L['flag'] == 3", (FailedGuard("L['flag'] == 3", 1), FailedGuard("else", -1)))
    stage = Stage("dynamo", "done", breaks=BREAKS, guards=GUARDS, recompiles=(anew, Recompile(2, 1, "1/0: gone")))
    only = fragment(4, ("add", (frame("x + 1"),)), gid="dynamo.4.second_inputs", variant=SECOND)
    again = (
        fragment(0, ("sin", (frame("x.sin()"),)), gid="dynamo.0.r1", recompile=1),
        fragment(2, ("cos", (frame("x.cos()"),)), gid="dynamo.2.r1", recompile=1),
    )
    found = tell(stage, (*GRAPHS, *again, only))
    first, _, third, _ = fragments(found)
    (recompiled,) = first.recompiles
    assert (recompiled.graph, recompiled.nodes, recompiled.reason) == ("dynamo.0.r1", 3, "0/0: L['flag'] == 3")
    assert [(each.source, each.says, each.failed) for each in recompiled.failed] == [
        ("L['flag']", "== 3", ("L['flag'] == 3",)),
        ("", "", ("else",)),
    ]
    assert first.special[0].failed == ("L['flag'] == 3",)
    assert [each.graph for each in third.recompiles] == ["dynamo.2.r1"]
    (second,) = found.second
    assert (second.graph, [drawn.graph for drawn in second.drawn]) == ("dynamo.4.second_inputs", ["dynamo.4.second_inputs"])
    assert [each.line for each in second.parts[0].lines] == [20]
    assert [step.how for step in found.steps if isinstance(step, Between)] == ["call", "break", "break"]


def test_nothing_captured_shows_the_whole_function() -> None:
    stop = Break("RNN", frames=(frame("= report(x)"),))
    found = tell(Stage("dynamo", "skipped", reason="it skipped the function", breaks=(stop,)), ())
    (gap,) = gaps(found)
    assert (found.status, found.reason, gap.before, gap.after) == ("skipped", "it skipped the function", None, None)
    assert [each.line for each in gap.parts[0].lines] == list(range(14, 22))


def test_code_that_torch_has_already_is_not_told_as_python() -> None:
    module = Break("stop", frames=(frame("= report(x)"),), before=0, after=1)
    again = Break("stop", frames=(frame("= report(x)"),), before=2)
    graphs = (
        fragment(0, ("sin", (frame("x.sin()"),))),
        fragment(1, ("cos", (frame("x.cos()"),))),
        fragment(2, ("sin", (frame("x.sin()"),))),  # another module of the class, whose rest is fragment 1 again
    )
    found = tell(Stage("dynamo", "done", breaks=(module, again)), graphs)
    first, _, last = gaps(found)
    assert (first.again, last.again) == ((), (1,))
    assert [shown(part) for part in last.parts] == [[(17, "stops")]]


def test_a_break_before_the_first_fragment_and_one_after_the_last() -> None:
    stops = (
        Break("early", frames=(frame("= scale(x)"),), after=0),
        Break("late", frames=(frame("x.tanh()"),), before=0),
    )
    found = tell(Stage("dynamo", "done", breaks=stops), (fragment(0, ("sin", (frame("x.sin()"),))),))
    early, own, late = found.steps
    assert [each.line for each in early.parts[0].lines] == [14, 15]
    assert [each.line for each in own.parts[0].lines] == [16, 17, 18, 19, 20]
    assert [each.line for each in late.parts[0].lines] == [21]


def test_one_fragment_without_a_break_is_the_whole_function() -> None:
    found = tell(Stage("dynamo", "done"), (fragment(0, ("cos", (frame("x.cos()"),))),))
    (own,) = fragments(found)
    assert gaps(found) == [] and [each.line for each in own.parts[0].lines] == list(range(14, 22))


def test_a_return_and_another_function() -> None:
    back = (
        fragment(0, ("a", (frame("x.sin()"),))),
        fragment(1, ("b", (frame("x * 2", "scale"),))),
        fragment(2, ("c", (frame("x.cos()"),))),
    )
    assert [(gap.how, gap.function) for gap in gaps(tell(Stage("dynamo", "done"), back))] == [
        ("next", "scale"),
        ("return", "forward"),
    ]


@pytest.mark.parametrize("files", [{}, {"net.py": "("}, {"net.py": ""}, {"other.py": "x"}])
def test_without_a_readable_file_the_story_is_told_without_lines(files: dict[str, str]) -> None:
    found = tell(files=files)
    assert [step.how for step in gaps(found)][-1] == "break" and len(fragments(found)) == 4
    assert all(len(part.lines) <= 1 for step in found.steps for part in step.parts)


def test_code_of_torch_alone_has_no_lines() -> None:
    found = tell(Stage("dynamo", "done"), (fragment(0, ("sin", (TORCH,))), fragment(1)))
    assert [step.parts for step in found.steps] == [(), (), ()]


def test_ten_thousand_nodes() -> None:
    stacks = [(frame("x.sin()"), frame("x * 2", "scale")), (frame("x.cos()"),)]
    found = tell(Stage("dynamo", "done"), (fragment(0, *[("sin", stacks[i % 2]) for i in range(10_000)]),))
    (own,) = fragments(found)
    assert own.calls == 10_000 and len(encode(found)) < 5_000
