"""What the runner says of the jail, and who may run code where there is none."""

from __future__ import annotations

import dataclasses
import logging
import time
from collections.abc import Callable

import pytest
from running import submission

from graphcap.jobs import jailstate, runner
from graphcap.jobs.jailstate import JailState, RunnerState, Tier, ZygoteState, may_run
from graphcap.settings import Settings
from graphcap.store.captures import Store
from graphcap.store.records import CaptureSummary, Claimed, Sender

NONE = JailState("none", (), (("namespaces", "unshare: EPERM"), ("landlock", "no such system call")))
FULL = RunnerState(
    JailState("landlock", ("reads only Python and torch", "no network"), (("namespaces", "unshare: EPERM"),)),
    (ZygoteState("ready", 17, 3, 1, 1_000_000.0), ZygoteState("warming", 18)),
    9,
)
HERE, ELSEWHERE = Sender("127.0.0.1", local=True), Sender("192.0.2.1")


def test_what_is_kept_is_read_by_others(settings: Settings) -> None:
    jailstate.keep(settings, FULL)
    assert jailstate.kept(settings) == FULL
    assert [path.name for path in settings.data_dir.iterdir()] == ["runner.json"]
    jailstate.forget(settings)
    assert jailstate.kept(settings) == RunnerState()
    jailstate.forget(settings)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"jail": {"tier": "walls"}}', b"\xff"])
def test_what_can_not_be_read_is_not_known(settings: Settings, content: bytes) -> None:
    settings.data_dir.mkdir()
    (settings.data_dir / "runner.json").write_bytes(content)
    assert jailstate.kept(settings) == RunnerState()


@pytest.mark.parametrize("local", [True, False])
@pytest.mark.parametrize("unsafe", [True, False])
def test_without_a_jail_only_this_machine_and_only_when_asked(settings: Settings, local: bool, unsafe: bool) -> None:
    settings = dataclasses.replace(settings, unsafe_no_jail=unsafe)
    assert may_run("none", settings, local) is (local and unsafe)
    assert may_run("landlock", settings, local) and may_run("namespaces", settings, local) and may_run(None, settings, local)


class NoPool:
    """Stands for zygotes on a machine without a jail."""

    def __init__(self, *_: object) -> None:
        pass

    def wait_for_tier(self, cancelled: Callable[[], bool]) -> Tier:
        return "none"

    def start(self) -> None:
        pass

    def close(self) -> None:
        pass


def carry(claimed: Claimed, store: Store, *_: object) -> None:
    store.finish(claimed.id, "done")


def ran(settings: Settings, store: Store, sender: Sender) -> CaptureSummary:
    """How a capture of this sender ends."""
    created = store.create(submission("x"), sender=sender)
    queue = runner.Runner(settings, store, carry=carry)
    queue.start()
    try:
        deadline = time.monotonic() + 300
        while (summary := store.summary(created.id)) is None or not summary.ended:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        return summary
    finally:
        queue.stop()


def test_a_start_line_says_what_a_tier_gives(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    assert FULL.jail is not None
    with caplog.at_level(logging.INFO):
        jailstate.announce(FULL.jail, settings)
    assert "tier landlock" in caplog.text and "no network" in caplog.text and "unshare: EPERM" in caplog.text


def test_a_start_line_says_what_to_set(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    jailstate.announce(NONE, settings)
    assert "GRAPHCAP_UNSAFE_NO_JAIL=1 make run" in caplog.text and "docs/deploy.md" in caplog.text
    assert "no such system call" in caplog.text
    caplog.clear()
    jailstate.announce(NONE, dataclasses.replace(settings, unsafe_no_jail=True))
    assert "WITHOUT a jail" in caplog.text and "GRAPHCAP_UNSAFE_NO_JAIL=1 make run" not in caplog.text


@pytest.mark.parametrize(
    ("unsafe", "sender", "status"),
    [
        (False, HERE, "failed"),
        (False, ELSEWHERE, "failed"),
        (True, ELSEWHERE, "failed"),
        (True, HERE, "done"),
    ],
)
def test_what_waited_already_is_not_run_either(
    settings: Settings, store: Store, monkeypatch: pytest.MonkeyPatch, unsafe: bool, sender: Sender, status: str
) -> None:
    """A queue may have been filled while there was a jail."""
    monkeypatch.setattr(runner, "Pool", NoPool)
    summary = ran(dataclasses.replace(settings, unsafe_no_jail=unsafe), store, sender)
    assert summary.status == status
    if status == "failed":
        assert summary.failures[0].type == "no-jail"
        assert "GRAPHCAP_UNSAFE_NO_JAIL" in summary.failures[0].hints[0]
