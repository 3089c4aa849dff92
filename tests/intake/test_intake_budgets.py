"""Files that are made to cost more than they are large: what is counted, and where it ends."""

from __future__ import annotations

import ast
import json
import pickletools
import types

import pytest

from graphcap.errors import UserError
from graphcap.intake import entry
from graphcap.intake.accept import accept_code, accept_files
from graphcap.intake.budget import Budget
from graphcap.intake.entry import Sorted, candidates
from graphcap.intake.inside import notebook
from graphcap.intake.inside.notebook import python_of
from graphcap.intake.reading import attributes, guess, rules
from graphcap.intake.reading import look as looking
from graphcap.intake.reading.attributes import MAX_STEPS, Names
from graphcap.intake.reading.classes import method, model_nodes
from graphcap.intake.reading.expression import Construction
from graphcap.intake.reading.guess import guess_inputs
from graphcap.intake.reading.look import Look, look
from graphcap.intake.upload import LEGACY_MAGIC, MAX_PICKLE_BYTES, MAX_PICKLES_BYTES, Pickled, Upload
from graphcap.settings import Settings

SETTINGS = Settings(upload_mib=1, code_kib=8)
NET = b"import torch\nclass Net(torch.nn.Module):\n    pass\n"
MODULE = "class {}(nn.Module):\n def __init__(self): self.a = {}\n def forward(self, x):\n"


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Sizes of what is parsed to tell the entry."""
    sizes: list[int] = []
    facts = entry._facts
    monkeypatch.setattr(entry, "_facts", lambda data: (sizes.append(len(data)), facts(data))[1])
    return sizes


def test_code_over_the_limit_is_refused_before_any_is_parsed(parsed: list[int]) -> None:
    with pytest.raises(UserError, match="b.py is too large"):
        accept_files([Upload("a.py", NET), Upload("b.py", b"a=1\n" * 3000)], None, SETTINGS)
    assert parsed == []


def test_of_more_code_than_is_parsed_one_has_to_be_named(parsed: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    uploads = [Upload("net.py", NET), Upload("b.py", b"x = 1\n")]
    assert accept_files(uploads, None, SETTINGS).entry == "net.py"
    parsed.clear()
    monkeypatch.setattr(entry, "MAX_PARSED", len(NET))
    with pytest.raises(UserError) as caught:
        accept_files(uploads, None, SETTINGS)
    assert (caught.value.code, parsed) == ("which-entry", [])
    assert accept_files(uploads, {"entry": "net.py"}, SETTINGS).entry == "net.py"


def test_files_beside_the_entry_are_read_as_far_as_their_sum_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    files = [Upload("main.py", b"from net import Net\n"), Upload("net.py", NET)]
    submission = accept_files(files, {"entry": "main.py"}, SETTINGS)
    assert [each.name for each in look(submission, {}).classes] == ["Net"]
    monkeypatch.setattr(looking, "MAX_PARSED", len(NET) - 1)
    assert look(submission, {}).classes == ()


def test_classes_that_stand_on_each_other_are_looked_into_once(monkeypatch: pytest.MonkeyPatch) -> None:
    code = f"class A(nn.Module{', B' * 40}): pass\nclass B(nn.Module{', A' * 40}): pass\n"
    models = model_nodes(ast.parse(code))
    asked = []

    class Known(dict[str, ast.ClassDef]):
        def __getitem__(self, name: str) -> ast.ClassDef:
            asked.append(name)
            return super().__getitem__(name)

    assert method(models["A"], "forward", Known(models)) is None
    assert asked == ["B", "A"]


def test_a_method_is_found_in_the_first_class_that_has_it() -> None:
    code = "class A(nn.Module): pass\nclass B(A):\n def forward(self, b): ...\nclass C(A, B):\n pass\nclass C2(C): pass\n"
    models = model_nodes(ast.parse(code))
    found = method(models["C2"], "forward", models)
    assert found is not None and found.args.args[1].arg == "b"


def test_an_input_is_followed_as_long_as_there_are_steps() -> None:
    code = MODULE.format("A", "A()") + "  self.a(x)\n" * 100
    models = model_nodes(ast.parse(code))
    names = Names(models, models, {})
    (guess,) = guess_inputs(models["A"], Construction("A", ()), names)
    assert not guess.told
    assert names.steps.left <= 0 < MAX_STEPS


def test_an_ordinary_model_takes_few_of_them() -> None:
    code = (
        MODULE.format("A", "nn.Linear(3, 4)") + "  return self.a(x)\n" + MODULE.format("B", "A()") + "  return self.a(x)\n"
    )
    models = model_nodes(ast.parse(code))
    names = Names(models, models, {})
    assert [guess.text for guess in guess_inputs(models["B"], None, names)] == ["f32[2, 3]"]
    assert MAX_STEPS - names.steps.left < 3000


def counting(monkeypatch: pytest.MonkeyPatch, module: types.ModuleType, name: str) -> list[None]:
    """Gets an item for every call of the function."""
    calls: list[None] = []
    function = getattr(module, name)
    monkeypatch.setattr(module, name, lambda *given: (calls.append(None), function(*given))[1])
    return calls


RECORD = "@dataclasses.dataclass\nclass A{}:\n    x: A{}\n    y: A{}\n"
TAKES = "class Net(nn.Module):\n    def __init__(self, {}):\n        {}\n    def forward(self, x: A0): return x\n"


@pytest.mark.parametrize("last", [0, 40])
def test_records_in_records_are_guessed_as_far_as_the_steps_reach(monkeypatch: pytest.MonkeyPatch, last: int) -> None:
    """One that holds itself, and a chain of forty, each of two of the next."""
    calls = counting(monkeypatch, guess, "record_fields")
    records = "".join(RECORD.format(i, min(i + 1, last), min(i + 1, last)) for i in range(last + 1))
    found = looked(records + TAKES.format("n=1", "pass"))
    assert found.guessed.startswith("x: {'x': {'x': ") and not found.problems
    assert 2 < len(calls) <= MAX_STEPS // guess.FIELD


MANY = range(300)


@pytest.mark.parametrize(
    "places",
    [("n=1", "; ".join(f"self.a{i} = C()" for i in MANY)), (", ".join(f"a{i}=C()" for i in MANY), "pass")],
    ids=["assigned", "defaults"],
)
def test_what_classes_keep_is_read_as_far_as_the_steps_reach(
    monkeypatch: pytest.MonkeyPatch, places: tuple[str, str]
) -> None:
    monkeypatch.setattr(attributes, "MAX_STEPS", 5_000)
    calls = counting(monkeypatch, attributes, "value_of")
    kept = "class C:\n    def __init__(self, n=1):\n" + "        self.x = n\n" * 300
    assert looked(kept + TAKES.format(*places)).rule == "class"
    assert 300 < len(calls) < 10_000, "and not 300 times 300"


def test_each_class_is_asked_once_whether_it_is_a_config(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counting(monkeypatch, rules, "needs_nothing")
    configs = "".join(f"class C{i}:\n    def __init__(self, n=1): pass\n" for i in range(3))
    found = looked(configs + TAKES.format(", ".join(f"a{i}: C{i % 3}" for i in range(50)), "pass"))
    assert found.rule == "class" and len(calls) == 3


def looked(code: str) -> Look:
    return look(accept_code(f"import dataclasses\nfrom torch import nn\n{code}", None, None, Settings()), {})


def test_what_is_as_deep_as_a_long_sum_is_read() -> None:
    code = "import torch.nn as nn\n" + MODULE.format("A", "nn.Linear(3, 4)") + f"  y = {'x + ' * 900}x\n  return self.a(y)\n"
    assert look(accept_code(code, None, None, Settings()), {}).guessed == "x: f32[2, 3]"


def test_facts_are_told_of_what_is_as_deep_as_a_long_sum() -> None:
    long = "a + " * 900
    code = f"if {long}a: pass\nif __name__ == '__main__': pass\nclass A({long}nn.Module): pass\n".encode()
    facts = Sorted("a.py", code, "py").facts
    assert (facts.has_main, facts.modules) == (True, True)
    assert [file.name for file in candidates([Sorted("a.py", code, "py")])] == ["a.py"]
    assert isinstance(look(accept_code(code.decode(), None, None, Settings()), {}), Look)


def cells(*sources: str) -> bytes:
    return json.dumps({"nbformat": 4, "cells": [{"cell_type": "code", "source": source} for source in sources]}).encode()


def test_a_notebook_over_the_limit_of_code_is_refused_before_any_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook, "_kept", lambda *_: pytest.fail("it was parsed"))
    with pytest.raises(UserError, match="nb.ipynb is too large"):
        accept_files([Upload("nb.ipynb", cells("x = 1\n" * 1000, "%ls\n" * 1000))], None, SETTINGS)


def test_the_cells_of_a_notebook_are_parsed_as_far_as_the_budget_reaches(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[int] = []
    monkeypatch.setattr(notebook, "tree_of", lambda source: (parsed.append(len(source)), ast.parse(source))[1])
    code = python_of(cells("x = 1\n" * 500 + "%ls\n" * 200), "nb", 8).decode()
    assert sum(parsed) <= 4 * 8 * 1024 and 2 < len(parsed) < 15
    assert code.startswith("# %% cell 1\nx = 1\n") and "pass  # skipped: %ls\n" in code and "\n%ls\n" in code


def test_the_pickles_of_a_submission_are_looked_at_within_one_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    genops = pickletools.genops
    monkeypatch.setattr(pickletools, "genops", lambda stream: (read.append(len(stream.getvalue())), genops(stream))[1])
    data = LEGACY_MAGIC + b"ctorch\nFloatStorage\n0." + b"\x80\x02N." * 2
    budget = Budget(len(data) + 5)
    first, second, third = (Upload("a.pt", data, budget) for _ in range(3))
    assert first.pickled == Pickled(frozenset({"torch FloatStorage"}), module=False)
    assert "?" in second.pickled.names and "?" in third.pickled.names and budget.left <= 0
    assert second.pickled.module and third.pickled.module, "what was not read may hold one"
    assert set(read) == {len(data), 5, 0}


def test_files_of_one_submission_share_the_budget_of_pickles(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Budget] = []
    monkeypatch.setattr("graphcap.intake.inside.unpack.Budget", lambda left: made.append(Budget(left)) or made[-1])
    pickled = LEGACY_MAGIC + b"\x80\x02N." * 3
    accept_files([Upload("net.py", NET), *(Upload(f"{i}.pt", pickled) for i in range(9))], None, SETTINGS)
    (budget,) = made
    assert budget.left == MAX_PICKLES_BYTES - 9 * len(pickled) and MAX_PICKLES_BYTES >= MAX_PICKLE_BYTES
