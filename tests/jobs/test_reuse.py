"""Which runs are shown again to whoever submits the same."""

from __future__ import annotations

import dataclasses

import pytest
from running import run, submission

from graphcap.graph.document import Failure, StageStatus
from graphcap.intake.accept import accept_code
from graphcap.jobs import versions
from graphcap.jobs.endings import kill_of, reusable
from graphcap.jobs.messages import Conversation
from graphcap.jobs.pipeline import message_limits
from graphcap.jobs.runner import submit
from graphcap.sandbox.outcome import Outcome, OutcomeKind
from graphcap.settings import Settings
from graphcap.store.captures import Store

GOOD = "begin(); whole(); say(Bye())"


def again(store: Store, settings: Settings, code: str) -> str:
    return submit(store, settings, submission(code, "export")).status


def test_a_finished_run_is(store: Store, settings: Settings) -> None:
    first = run(store, settings, GOOD, "export")
    second = submit(store, settings, submission(GOOD, "export"))
    summary = store.summary(second.id)
    assert summary is not None and second.status == "done"
    assert summary.targets == first.targets and summary.seconds == first.seconds


def test_unless_it_is_asked_to_run_again_and_then_the_newer_one_is(store: Store, settings: Settings) -> None:
    run(store, settings, GOOD, "export")
    asked = accept_code(GOOD, None, {"stages": ["export"], "rerun": True}, settings)
    created = submit(store, settings, asked)
    assert created.status == "queued"
    store.request_cancel(created.id)
    assert again(store, settings, GOOD) == "done"


def test_other_code_options_or_names_are_run(store: Store, settings: Settings) -> None:
    run(store, settings, GOOD, "export")
    options = {"stages": ["export"]}
    for other in (
        submission(GOOD + " ", "export"),
        submission(GOOD, "export", "core_aten"),
        accept_code(GOOD, "net.py", options, settings),
        accept_code(GOOD, None, {**options, "mode": "train"}, settings),
    ):
        assert submit(store, settings, other).status == "queued"


@pytest.mark.parametrize("changed", ["torch_version", "_code"])
def test_other_versions_are_run(store: Store, settings: Settings, monkeypatch: pytest.MonkeyPatch, changed: str) -> None:
    run(store, settings, GOOD, "export")
    versions.versions.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(versions, changed, lambda: "another")
        assert again(store, settings, GOOD) == "queued"
    versions.versions.cache_clear()
    assert again(store, settings, GOOD) == "done"


def test_a_stage_that_fails_by_itself_fails_again_so_it_is(store: Store, settings: Settings) -> None:
    code = "begin(); say(Ended('t1', stage('export', status='failed', failures=(Failure('UserError', 'no'),)))); say(Bye())"
    assert run(store, settings, code, "export").status == "done"
    assert again(store, settings, code) == "done"


BROKEN = {
    "killed itself": "begin(); whole(); os.kill(os.getpid(), 9)",
    "crashed": "begin(); whole(); os.abort()",
    "left without a word": "begin(); whole(); os._exit(0)",
    "left with an error": "begin(); whole(); say(Bye()); os._exit(3)",
    "sent junk": "begin(); whole(); raw(b'junk')",
    "found nothing": "say(Hello('2.13.0')); say(Nothing((Failure('bad-inputs', 'no'),))); say(Bye())",
}


@pytest.mark.parametrize("code", BROKEN.values(), ids=BROKEN)
def test_a_run_that_broke_is_not(store: Store, settings: Settings, code: str) -> None:
    run(store, settings, code, "export")
    assert again(store, settings, code) == "queued"


def test_a_run_that_reached_a_limit_is_not(store: Store, settings: Settings) -> None:
    code = "begin(); whole(); time.sleep(600)"
    run(store, dataclasses.replace(settings, capture_wall_seconds=2), code, "export")
    assert again(store, settings, code) == "queued"


def test_a_run_that_was_cancelled_is_not(store: Store, settings: Settings) -> None:
    code = "begin(); say(Started('t1', 'export')); time.sleep(600)"
    created = submit(store, settings, submission(code, "export"))
    store.request_cancel(created.id)
    assert again(store, settings, code) == "queued"


OK = Outcome("ok", exit_code=0)


def talk(*failures: Failure, status: StageStatus = "failed") -> Conversation:
    """A conversation that ended well but for the failures of one stage."""
    made = Conversation(submission("x", "export").options, message_limits(Settings()))
    made.finished = True
    made.stage_failures = list(failures)
    return made


@pytest.mark.parametrize(
    "failure",
    [
        Failure("timeout", "stopped after 120 s while running the export route"),
        Failure("memory-limit", "MemoryError without a message"),
        Failure("cpu-limit", "SIGXCPU while running"),
        Failure("crashed", "SIGSEGV while running"),
        Failure("exited", "the process ended with exit code 1"),
        Failure("internal", "the capture process itself failed"),
        Failure("too-large", "the stage is too large"),
        Failure("RuntimeError", "can't start new thread"),
        Failure("TorchRuntimeError", "[enforce fail at alloc_cpu.cpp] DefaultCPUAllocator: can't allocate memory"),
        Failure("OSError", "[Errno 24] Too many open files: 'x'"),
        Failure("OSError", "[Errno 28] No space left on device"),
    ],
)
def test_a_stage_that_reached_a_limit_is_not(failure: Failure) -> None:
    assert not reusable(OK, talk(failure))
    assert not reusable(OK, talk(Failure("UserError", "no"), failure))


def test_only_what_ended_well_is() -> None:
    assert reusable(OK, talk()) and reusable(OK, talk(Failure("UserError", "no")))
    kinds: list[OutcomeKind] = [
        "user-error",
        "timeout",
        "cpu-limit",
        "memory-limit",
        "process-limit",
        "file-limit",
        "crashed",
        "killed",
    ]
    kinds += ["cancelled", "no-result", "invalid-result", "sandbox-error", "supervisor-lost"]
    assert not any(reusable(Outcome(kind), talk()) for kind in kinds)
    unfinished = talk()
    unfinished.finished = False
    assert not reusable(OK, unfinished)


def test_what_the_jail_ended_is_told_from_what_ended_by_itself() -> None:
    ended: list[OutcomeKind] = ["timeout", "cpu-limit", "memory-limit", "process-limit", "file-limit", "invalid-result"]
    assert [kill_of(Outcome(kind)) for kind in ended] == ended
    assert kill_of(Outcome("crashed", signal="SIGSYS")) == "forbidden-call"
    assert [kill_of(Outcome(kind)) for kind in ("ok", "user-error", "cancelled")] == ["", "", ""]
    assert kill_of(Outcome("crashed", signal="SIGSEGV")) == ""


def test_endings_are_counted(store: Store, settings: Settings) -> None:
    run(store, settings, GOOD, "export")
    run(store, dataclasses.replace(settings, capture_wall_seconds=2), "begin(); whole(); time.sleep(600)", "export")
    submit(store, settings, submission(GOOD, "export"))
    tallies = store.tallies()
    assert tallies["captures", "done ok"] == tallies["captures", "done timeout"] == tallies["captures", "done reused"] == 1
    assert tallies["kills", "timeout"] == 1
    assert tallies["stages", "export done"] == 2


@pytest.mark.parametrize(
    "words",
    [
        "SIGKILL while running its graphs to compare them with eager PyTorch: killed from outside",
        "it took more than 20 s of processor time",
        "it raised RuntimeError: DefaultCPUAllocator: can't allocate memory",
    ],
)
@pytest.mark.parametrize(
    "added",
    ["notes=({!r},)", "replays=(Replayed('export.0', Replay('not-compared', reason={!r})),)"],
)
def test_a_run_whose_later_work_reached_a_limit_is_not(store: Store, settings: Settings, words: str, added: str) -> None:
    code = f"begin(); whole(); say(Added('t1', 'export', {added.format(words)})); say(Bye())"
    run(store, settings, code, "export")
    assert again(store, settings, code) == "queued"


def test_a_run_with_other_later_words_is(store: Store, settings: Settings) -> None:
    code = GOOD.replace("say(Bye())", "say(Added('t1', 'export', notes=('a word',))); say(Bye())")
    run(store, settings, code, "export")
    assert again(store, settings, code) == "done"
