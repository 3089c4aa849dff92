"""Code that cannot be captured, or that does harm: each gets its reason and its line, and the next capture works."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from tests.bad_input.conftest import LIMITS, ROUTE_SECONDS, SOUND, App, assert_sound

pytestmark = pytest.mark.torch

IMPORTED: dict[str, tuple[str, str, str, int | None]] = {
    "syntax error": ("import torch\ndef forward(:\n    pass\n", "SyntaxError", "invalid syntax", 2),
    "exception": ("import torch\nx = torch.ones(2)\nx.reshape(3)\n", "RuntimeError", "invalid for input of size 2", 3),
    "exception in a function": ("def f():\n    return {}['weights']\nf()\n", "KeyError", "weights", 2),
    "missing package": ("import torch\nimport transformers\n", "ModuleNotFoundError", "transformers", 2),
    "endless loop": ("import torch\nwhile True:\n    pass\n", "timeout", f"{ROUTE_SECONDS} s", None),
    "endless loop that catches everything": (
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass\n",
        "timeout",
        f"{ROUTE_SECONDS} s",
        None,
    ),
    "100 GB": ("import torch\nx = torch.zeros(25_000_000_000)\n", "memory-limit", "memory", 2),
    "a list without end": ("x = []\nwhile True:\n    x.append(bytes(10_000_000))\n", "memory-limit", "memory", 3),
    "os._exit": ("import os\nos._exit(0)\n", "exited", "exit code 0", None),
    "sys.exit": ("import sys\nsys.exit(3)\n", "SystemExit", "sys.exit(3)", 2),
    "segfault": ("import ctypes\nctypes.string_at(0)\n", "crashed", "SIGSEGV", 2),
    "abort": ("import os\nos.abort()\n", "crashed", "SIGABRT", 2),
    "killed": ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n", "crashed", "SIGKILL", None),
    "recursion": ("def f():\n    return f()\nf()\n", "RecursionError", "recursion", 2),
    "nothing in it": ("import torch\nx = 1\n", "nothing-to-capture", "defines no nn.Module", None),
}
"""What happens while the file is imported -> type, words of the message, line."""


FORWARD = """import ctypes, os, sys
import torch
class M(torch.nn.Module):
    def forward(self, x):
        if not torch.compiler.is_compiling():
            {body}
        return x + 1
model = M()
example_args = (torch.ones(2),)
"""

RUN: dict[str, tuple[str, str, str, int | None]] = {
    "forward: exception": ("raise ValueError('no batch')", "ValueError", "no batch", 6),
    "forward: endless loop": ("while True: pass", "timeout", f"{ROUTE_SECONDS} s", 6),
    "forward: 100 GB": ("torch.zeros(25_000_000_000)", "memory-limit", "memory", 6),
    "forward: os._exit": ("os._exit(0)", "exited", "exit code 0", None),
    "forward: sys.exit": ("sys.exit()", "SystemExit", "sys.exit", 6),
    "forward: segfault": ("ctypes.string_at(0)", "crashed", "SIGSEGV", 6),
}
"""What happens while forward runs in eager mode -> type, words of the message, line."""

EAGER = {"stages": ["eager"]}
CODE: dict[str, tuple[str, Any]] = {name: (code, {}) for name, (code, *_) in IMPORTED.items()}
CODE |= {name: (FORWARD.format(body=body), {"stages": ["eager", "dynamo"]}) for name, (body, *_) in RUN.items()}
"""What is sent, by name, with its options."""


@dataclass
class Sent:
    """A bad submission's answer, and that of the sound one sent right after it."""

    bad: tuple[int, Any]
    sound: tuple[int, Any]


@pytest.fixture(scope="module")
def sent(app: App, request: pytest.FixtureRequest) -> dict[str, Sent]:
    """Everything that the tests selected will look at is sent first: two run at a time, and the rest waits its turn."""
    chosen = [item.callspec.params["bad"] for item in request.session.items if "bad" in getattr(item, "fixturenames", ())]
    return {bad: Sent(app.paste(*CODE[bad]), app.paste(SOUND, EAGER)) for bad in chosen}


@pytest.mark.parametrize("bad", IMPORTED)
def test_what_stops_the_import_is_the_reason_given(app: App, sent: dict[str, Sent], bad: str) -> None:
    code, type_, words, line = IMPORTED[bad]
    capture = app.ended(sent[bad].bad)
    assert capture["status"] == "failed"
    (failure,) = capture["failures"]
    assert failure["type"] == type_ and words in failure["message"], failure
    if line is not None:
        assert failure["frame"]["file"] == "model.py" and failure["frame"]["line"] == line
        assert failure["frame"]["code"] in code and failure["frame"]["code"]
    assert_sound(app, sent[bad].sound)


def test_a_missing_package_is_named_and_that_it_cannot_be_had(app: App) -> None:
    (failure,) = app.ended(app.paste("import torch\nfrom einops.layers import torch as t\n", EAGER))["failures"]
    told = " ".join(failure["hints"])
    assert "'einops'" in told and "on a server of graphcap only torch and numpy are" in told


@pytest.mark.parametrize("bad", RUN)
def test_what_stops_one_stage_leaves_the_others(app: App, sent: dict[str, Sent], bad: str) -> None:
    _, type_, words, line = RUN[bad]
    capture = app.ended(sent[bad].bad)
    eager, dynamo = capture["stages"]
    assert capture["status"] == "done"
    assert eager["status"] == "failed"
    assert eager["error"]["type"] == type_ and words in eager["error"]["message"], eager["error"]
    if line is not None:
        assert eager["error"]["frame"]["line"] == line
    assert dynamo["status"] == "done" and dynamo["graphs"][0]["nodes"] == 3
    assert_sound(app, sent[bad].sound)


def stages(capture: Any) -> dict[str, str]:
    return {stage["id"]: stage["status"] for stage in capture["stages"]}


def test_a_flood_of_output_is_cut_and_counted(app: App) -> None:
    code = FORWARD.format(body="print('x' * 50_000_000)")
    capture = app.ended(app.paste(code, EAGER))
    assert stages(capture) == {"eager": "done"}
    log = app.call("GET", f"/api/captures/{capture['id']}/log")[1]
    limit = int(LIMITS["GRAPHCAP_LOG_KIB"]) * 1024
    assert len(log["text"]) <= limit
    assert len(log["text"]) + log["cut"] >= 50_000_000


FLOOD = """
            junk = {junk}
            for fd in range(3, 400):
                try:
                    os.set_blocking(fd, False)
                    for _ in range(1000): os.write(fd, junk)
                except OSError:
                    pass
"""


@pytest.mark.parametrize("junk", ["b'junk ' * 200_000", "b'\\xff' * 1_000_000", "b'\\0\\0\\0\\2{}' * 100_000"])
def test_a_flood_of_results_fails_its_own_stage_at_most(app: App, junk: str) -> None:
    code = FORWARD.format(body="pass" + FLOOD.format(junk=junk))
    capture = app.ended(app.paste(code, {"stages": ["eager", "dynamo"]}))
    assert capture["status"] == "done"
    assert stages(capture)["dynamo"] == "done"
    eager = capture["stages"][0]
    assert eager["status"] in ("done", "failed")
    assert eager["graphs"] or eager["error"]["message"]


def test_more_nodes_than_a_page_can_show_fail_their_stage(app: App) -> None:
    """A stage of its own making that is larger than any limit allows."""
    code = FORWARD.format(body="for _ in range(300_000): x + 1")
    capture = app.ended(app.paste(code, {"stages": ["eager", "dynamo"]}))
    eager, dynamo = capture["stages"]
    assert eager["status"] == "failed" and eager["error"]["message"]
    assert dynamo["status"] == "done"
