"""What is found in a file: each rule, in order, and what is said when none applies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from capture_forks import in_fork

from graphcap.capture.find.code.importing import submitted_files
from graphcap.capture.find.submission import load_submission
from graphcap.graph.document import Failure, Options, Target

NET = """\
import torch
class Block(torch.nn.Module):
    def forward(self, x): return x.relu()
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()
        self.l = torch.nn.Linear(3, 3)
    def forward(self, x): return self.block(self.l(x))
"""
INPUT = "torch.randn(2, 3)"


def load(folder: Path, code: str, name: str = "model.py", **options: Any) -> tuple[list[Target], list[Failure], list[Any]]:
    """Targets, failures, and (args, kwargs, model's class) of each target, loaded in a fork."""
    path = folder / name
    path.write_text(code, encoding="utf-8")

    def work() -> tuple[list[Target], list[Failure], list[Any]]:
        found = load_submission(path, "py", Options(**options), submitted_files(folder))
        made = [(c.loaded.args, dict(c.loaded.kwargs), type(c.loaded.model).__name__) for c in found.candidates]
        return [c.target() for c in found.candidates], list(found.failures), made

    return in_fork(work)


@pytest.mark.parametrize(
    ("code", "inputs", "title", "rule"),
    [
        (f"model = Net()\nexample_args = ({INPUT},)", "", "Net", "`model` and `example_args` in the file"),
        (f"model = Net()\nexample_args = {INPUT}", "", "Net", "`model` and `example_args` in the file"),
        ("model = Net()", "f32[4, 3]", "Net", "`model` in the file, with the inputs given"),
        (f"ep = torch.export.export(Net(), ({INPUT},))", "", "Net", "the script's own call of torch.export.export, line 10"),
        (f"f = torch.compile(Net())\nf({INPUT})", "", "Net", "the script's own call of torch.compile, line 11; it ran with"),
        (f"@torch.compile\ndef f(x): return x + 1\nf({INPUT})", "", "f", "the script's own call of torch.compile, line 12"),
        (f"@torch.compile(dynamic=True)\ndef f(x): return x\nf({INPUT})", "", "f", "call of torch.compile, line 12"),
        (f"n = Net()\nn.compile()\nn({INPUT})", "", "Net", "the script's own call of torch.compile, line 12"),
        ("net = Net()", "x: f32[4, 3]", "Net", "the nn.Module in the variable `net`, with the inputs given"),
        ("", "x: f32[4, 3]", "Net", "the class Net, made without arguments, with the inputs given"),
        (f"if __name__ == '__main__':\n    torch.export.export(Net(), ({INPUT},))", "", "Net", "export, line 11"),
    ],
)
def test_the_rule_that_applies(tmp_path: Path, code: str, inputs: str, title: str, rule: str) -> None:
    targets, failures, made = load(tmp_path, NET + code, inputs=inputs)
    assert not failures
    assert targets[0].title == title and rule in targets[0].rule
    (args, _, _) = made[0]
    assert [tuple(arg.shape) for arg in args] == [(4, 3) if inputs else (2, 3)]


def test_several_calls_are_several_targets_each_once(tmp_path: Path) -> None:
    code = f"a, b = Net(), Net()\nfor m in (a, b, a):\n    torch.export.export(m, ({INPUT},))\nc = torch.compile(a)\n"
    targets, _, _ = load(tmp_path, NET + code + f"c({INPUT}); c({INPUT})\n")
    assert [(t.id, t.frame and t.frame.line) for t in targets] == [("t1", 12), ("t2", 12), ("t3", 14)]


def test_a_watched_call_gives_its_real_result_and_a_backend_of_ones_own_is_kept(tmp_path: Path) -> None:
    code = "seen = []\ndef backend(gm, inputs):\n    seen.append(len(gm.graph.nodes))\n    return gm.forward\n"
    code += "@torch.compile(backend=backend)\ndef f(x):\n    return x.sin() + 1\n"
    code += "y = f(torch.zeros(2))\nassert seen == [4], seen\nassert y.tolist() == [1, 1]\nassert f.__name__ == 'f'\n"
    targets, failures, _ = load(tmp_path, "import torch\n" + code)
    assert not failures and targets[0].rule == "the script's own call of torch.compile, line 9; with the backend backend"


def test_what_torch_compiles_by_itself_is_no_call_of_the_script(tmp_path: Path) -> None:
    code = "y = torch.cond(torch.tensor(True), lambda x: x + 1, lambda x: x * 2, (torch.ones(1),))\n"
    targets, failures, _ = load(tmp_path, "import torch\n" + code)
    assert not targets and failures[0].type == "nothing-to-capture"


def test_a_script_that_stops_inside_its_own_export_is_still_shown(tmp_path: Path) -> None:
    code = NET.replace("return x.relu()", "return x.relu() if x.sum() > 0 else x")
    targets, failures, _ = load(tmp_path, code + f"torch.export.export(Net(), ({INPUT},))\nprint('never')\n")
    assert not failures
    assert "the script then stopped at line 3: GuardOnDataDependentSymNode" in targets[0].rule


def test_an_exported_program_in_a_variable(tmp_path: Path) -> None:
    program = torch.export.export(torch.nn.Linear(3, 2), (torch.randn(1, 3),))
    torch.export.save(program, tmp_path / "saved.pt2")
    code = f"import torch\nep = torch.export.load({str(tmp_path / 'saved.pt2')!r})\n"
    targets, _, made = load(tmp_path, code)
    assert targets[0].rule == "the ExportedProgram in the variable `ep`"
    assert [tuple(arg.shape) for arg in made[0][0]] == [(1, 3)]


@pytest.mark.parametrize(
    ("code", "words", "lines"),
    [
        ("", "it defines no nn.Module", "model = MyModule()"),
        (
            "def f(x): return x + 1\ndef g(a, b): return a * b\n",
            "defines no nn.Module, and several functions could be meant (f, g); which one?",
            "model = g\nexample_args = (torch.randn(2, 3), torch.randn(2, 3),)  # a, b: with the shapes your model takes\n"
            "or choose it in the form, the option construct:\ng",
        ),
        ("def f(): pass\nasync def g(x): pass\n", "and no function that takes anything: f", "model = MyModule()"),
        (
            "def f(x): return x\n",
            "the function `f`: it needs inputs (x)",
            "in the field Inputs (--inputs on the command line):\nx: ",
        ),
        (NET, "the class Net, made without arguments: it needs inputs (x)", "example_args = (torch.randn(2, 3),)"),
        (NET + "model = Net", "", ""),
        (
            "import torch\nclass Net(torch.nn.Module):\n    def __init__(self, hidden, depth=2): super().__init__()\n",
            "class Net needs constructor arguments (hidden)",
            "model = Net(hidden=...)",
        ),
        (NET + "a, b = Net(), Net()", "the file has several modules (a, b); which one?", "model = a"),
        (
            NET + "class Other(torch.nn.Module): pass",
            "several classes can be made without arguments (Net, Other)",
            "model =",
        ),
        (NET + "model = Net\nexample_args = ()", "`model` is a class; make an instance of it: model = Net()", ""),
        (NET + "model = 3\nexample_args = ()", "`model` is not callable: it is of the type int", "model = MyModule()"),
    ],
)
def test_nothing_found_is_explained_with_the_lines_to_add(tmp_path: Path, code: str, words: str, lines: str) -> None:
    targets, failures, _ = load(tmp_path, code)
    assert not targets
    assert failures[0].type == "nothing-to-capture"
    assert words in failures[0].message and "Looked for: `model` with `example_args`" in failures[0].message
    assert lines in "\n".join(failures[0].hints)


def test_a_constructor_that_raises_is_told_with_its_line(tmp_path: Path) -> None:
    code = NET.replace("self.block = Block()", "self.block = Block(3)")
    _, failures, _ = load(tmp_path, code, inputs="f32[2, 3]")
    assert failures[0].type == "TypeError" and failures[0].frame is not None and failures[0].frame.line == 7


def test_a_file_named_like_a_library_stands_in_nobodys_way(tmp_path: Path) -> None:
    targets, failures, _ = load(tmp_path, NET + f"model = Net()\nexample_args = ({INPUT},)\n", name="random.py")
    assert not failures and targets[0].title == "Net"


def test_the_meta_option_builds_the_model_and_its_inputs_without_memory(tmp_path: Path) -> None:
    code = NET.replace("Linear(3, 3)", "Linear(10**7, 10**7)")

    def work() -> list[str]:
        path = tmp_path / "big.py"
        path.write_text(code, encoding="utf-8")
        found = load_submission(path, "py", Options(meta=True, inputs="f32[1, 10000000]"), submitted_files(tmp_path))
        loaded = found.candidates[0].loaded
        return [str(t.device) for t in (*loaded.model.parameters(), *loaded.args)]

    assert in_fork(work) == ["meta"] * 3


def test_the_files_run_is_seeded(tmp_path: Path) -> None:
    code = "import torch\nmodel = torch.nn.Linear(1, 1)\nexample_args = (torch.randn(3),)\n"
    first, second = (load(tmp_path, code)[2][0][0][0].tolist() for _ in range(2))
    assert first == second


def test_a_compiled_model_is_the_model_inside(tmp_path: Path) -> None:
    given = NET + f"net = Net()\nmodel = torch.compile(net)\nexample_args = ({INPUT},)\n"
    targets, failures, made = load(tmp_path, given)
    assert (failures, [(t.title, cls) for t, (_, _, cls) in zip(targets, made, strict=True)]) == ([], [("Net", "Net")])
    targets, failures, made = load(tmp_path, given.split("example_args")[0], "asked.py", inputs="x: f32[2, 3]")
    assert (failures, [(t.title, cls) for t, (_, _, cls) in zip(targets, made, strict=True)]) == ([], [("Net", "Net")])


def second(folder: Path, code: str, **options: Any) -> list[Any]:
    """Shapes (or values) of the second call of every target, and how its random numbers go on; or the failures."""

    def work() -> list[Any]:
        path = folder / "model.py"
        path.write_text(code, encoding="utf-8")
        found = load_submission(path, "py", Options(**options), submitted_files(folder))
        calls = [c.loaded.second for c in found.candidates]
        shown = [call and ([_shown(a) for a in call[0]], {k: _shown(v) for k, v in call[1].items()}) for call in calls]
        return [*shown, torch.rand(()).item()] if not found.failures else list(found.failures)

    return in_fork(work)


def _shown(value: Any) -> Any:
    return list(value.shape) if isinstance(value, torch.Tensor) else value


NAMED = NET + f"model = Net()\nexample_args = ({INPUT},)\n"


def test_the_second_inputs_of_the_file_and_of_the_form(tmp_path: Path) -> None:
    first, drawn = second(tmp_path, NAMED)
    assert first is None
    in_file = NAMED + "example_args_2 = torch.ones(7, 3)\nexample_kwargs_2 = {'flag': True}\n"
    assert second(tmp_path, in_file)[0] == ([[7, 3]], {"flag": True})
    assert second(tmp_path, NAMED + "example_kwargs_2 = {'x': torch.ones(4, 3)}")[0] == ([], {"x": [4, 3]})
    assert second(tmp_path, in_file, second_inputs="x: f32[9, 3]")[0] == ([[9, 3]], {})
    assert second(tmp_path, NAMED, second_inputs="x: f32[9, 3]") == [([[9, 3]], {}), drawn]
    assert second(tmp_path, NET + "net = Net()", inputs="f32[4, 3]", second_inputs="f32[5, 3]")[0] == ([[5, 3]], {})
    twice = NET + f"n = Net()\nfor i in range(2): torch.export.export(n, ({INPUT},))\ntorch.compile(n)({INPUT})"
    assert second(tmp_path, twice, second_inputs="x: f32[5, 3]")[:-1] == [([[5, 3]], {})] * 2


@pytest.mark.parametrize(
    ("more", "options", "says"),
    [
        ("", {"second_inputs": "x: f32[5,"}, "second inputs: line 1, column 4: "),
        ("", {"second_inputs": "y: f32[5, 3]"}, "second inputs: the model has no input 'y'"),
        ("example_kwargs_2 = 3", {}, "`example_kwargs_2` is a int; it must be a dict"),
        ("example_kwargs = [3]", {}, "`example_kwargs` is a list; it must be a dict"),
    ],
)
def test_second_inputs_that_cannot_be_used_say_so(tmp_path: Path, more: str, options: dict[str, Any], says: str) -> None:
    (failure,) = second(tmp_path, NAMED + more, **options)
    assert failure.type == "bad-inputs" and says in failure.message


MADE = """\
import torch
class Net(torch.nn.Module):
    def __init__(self, wide, deep=1):
        super().__init__()
        if wide < 0: raise ValueError("wide is below 0")
        self.l = torch.nn.Linear(wide, deep)
    def forward(self, x): return self.l(x)
"""


def test_construct_makes_the_model_in_place_of_what_the_rules_find(tmp_path: Path) -> None:
    code = MADE + "torch.export.export(Net(2), (torch.randn(1, 2),))\n"
    targets, failures, made = load(tmp_path, code, construct="Net(7, deep=2)", inputs="x: f32[3, 7]")
    assert not failures and [t.title for t in targets] == ["Net"]
    assert targets[0].rule == "`Net(7, deep=2)`, as given, with the inputs given"
    assert tuple(made[0][0][0].shape) == (3, 7)


def test_construct_takes_the_example_args_of_the_file(tmp_path: Path) -> None:
    targets, failures, made = load(tmp_path, MADE + "example_args = (torch.randn(5, 7),)", construct="Net(7)")
    assert not failures and targets[0].rule.endswith("with `example_args` in the file")
    assert tuple(made[0][0][0].shape) == (5, 7)


@pytest.mark.parametrize(
    ("construct", "kind", "words"),
    [
        ("Nett(1)", "bad-construct", "name 'Nett' is not defined"),
        ("Net()", "bad-construct", "missing 1 required positional argument: 'wide'"),
        ("Net(-1)", "ValueError", "wide is below 0"),
        ("dict()", "bad-construct", "gives a dict, which is no model"),
        ("Net", "bad-construct", "gives the class Net itself, which is no model"),
        ("Net(3)", "nothing-to-capture", "it needs inputs (x)"),
    ],
)
def test_a_construct_that_gives_no_model_is_told(tmp_path: Path, construct: str, kind: str, words: str) -> None:
    targets, failures, _ = load(tmp_path, MADE, construct=construct)
    assert not targets and failures[0].type == kind and words in failures[0].message


FUNCTIONS = """
import functools, torch
def scale(x, by=2): return x * by
def told(function):
    @functools.wraps(function)
    def inner(*args): return function(*args)
    return inner
@told
def wave(x): return scale(x).sin()
def main(): print(wave(torch.ones(1)))
again = wave
if __name__ == "__main__": main()
"""


def test_the_outermost_function_is_captured_where_there_is_no_class(tmp_path: Path) -> None:
    (target,), failures, made = load(tmp_path, FUNCTIONS, inputs="x: f32[4]")
    assert not failures and (target.title, target.rule) == ("wave", "the function `wave`, with the inputs given")
    assert [tuple(arg.shape) for arg in made[0][0]] == [(4,)]


@pytest.mark.parametrize("around", ["@torch.compile", "@torch.compile(fullgraph=True, mode='max-autotune')"])
def test_a_compiled_function_that_nothing_calls_is_captured_with_the_inputs_given(tmp_path: Path, around: str) -> None:
    code = f"import torch\n{around}\ndef f(x): return x.sin()\nfast = torch.compile(f)\n"
    (target,), failures, _ = load(tmp_path, code, inputs="x: f32[4]")
    assert not failures and (target.title, target.rule) == ("f", "the function `f`, with the inputs given")


def test_a_function_is_chosen_by_its_name(tmp_path: Path) -> None:
    (target,), failures, _ = load(tmp_path, MADE + FUNCTIONS, construct="scale", inputs="x: f32[4], by: 3")
    assert not failures and (target.title, target.rule) == ("scale", "`scale`, as given, with the inputs given")


@pytest.mark.parametrize("lines", ["model = f\nexample_args = (torch.randn(2, 3),)", "torch.compile(f)(torch.randn(2, 3))"])
def test_the_lines_told_for_a_function_capture_it(tmp_path: Path, lines: str) -> None:
    (target,), _, made = load(tmp_path, f"import torch\ndef f(x): return x + 1\n{lines}\n")
    assert (target.title, [tuple(arg.shape) for arg in made[0][0]]) == ("f", [(2, 3)])


def test_lists_and_dicts_of_tensors_are_inputs(tmp_path: Path) -> None:
    code = "import torch\nclass Net(torch.nn.Module):\n    def forward(self, pair, named): return pair[0] + named['mask']\n"
    _, failures, made = load(tmp_path, code, inputs="pair: [f32[3], f32[3]], named: {'mask': f32[3]}")
    ((pair, named),) = [args for args, *_ in made]
    assert not failures and [tuple(each.shape) for each in (*pair, named["mask"])] == [(3,), (3,), (3,)]


def test_a_model_whose_inputs_may_all_be_left_out_is_said_to_be_called_without(tmp_path: Path) -> None:
    head = "import torch\nclass Net(torch.nn.Module):\n"
    code = f"{head}    def forward(self, ids=None, mask=None, **more): return torch.ones(3)\n"
    (target,), _, _ = load(tmp_path, code)
    assert target.rule.startswith("the class Net, made without arguments, called without inputs: ids, mask may be left out")
    (target,), _, _ = load(tmp_path, code.replace("ids=None, mask=None, **more", ""))
    assert target.rule.endswith(", which takes no inputs")
    _, (needs,), _ = load(tmp_path, code.replace("ids=None, mask=None, **more", "*rest"))
    assert "needs inputs (*rest)" in needs.message and needs.hints[1].endswith(":\nf32[2, 3]")
