"""A submission's way through the pipeline, with a capture that sends what the test says."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import get_args

import pytest
from running import alive, carry, run, shared_pool, stages, statuses, submission

from graphcap.graph.document import RUN_STAGES, Failure
from graphcap.jobs.endings import failure_of
from graphcap.sandbox.outcome import Outcome, OutcomeKind
from graphcap.settings import Settings
from graphcap.store.captures import Store

# -------------------------------------------------------------------------------------------------------- what goes well


def test_a_whole_capture(store: Store, settings: Settings) -> None:
    summary = run(store, settings, "begin(); print('hello'); whole(); say(Bye())")
    assert (summary.status, summary.failures, summary.torch) == ("done", (), "2.13.0+fake")
    assert list(statuses(summary)) == list(RUN_STAGES) and set(statuses(summary).values()) == {"done"}
    export = stages(summary)["export"]
    assert export.seconds == 0.5 and [(g.id, g.nodes, g.edges) for g in export.graphs] == [("export.0", 3, 2)]
    graph = store.graph(summary.id, "joint.0")
    assert graph is not None and [node.name for node in graph.nodes] == ["x", "n1", "output"]
    log = store.log(summary.id)
    assert log is not None and (log.text, log.cut) == ("hello\n", 0)


def test_only_the_stages_asked_for_are_queued(store: Store, settings: Settings) -> None:
    summary = run(store, settings, "begin(); whole(); say(Bye())", "joint", "eager")
    assert statuses(summary) == {"eager": "done", "joint": "done"}


def test_several_targets_in_several_messages(store: Store, settings: Settings) -> None:
    code = (
        "begin('t1', 't2'); say(Found((Target('t3', 'late', 'a call'),)))\nfor t in ('t1', 't2', 't3'): whole(t)\nsay(Bye())"
    )
    summary = run(store, settings, code, "export")
    assert [target.id for target in summary.targets] == ["t1", "t2", "t3"]
    assert [[g.id for g in stages(summary, i)["export"].graphs] for i in range(3)] == [
        ["export.0"],
        ["t2.export.0"],
        ["t3.export.0"],
    ]


def test_stages_are_seen_while_it_runs(store: Store, settings: Settings, tmp_path: Path) -> None:
    """The fake capture goes on when the test has seen a stage running and another one done."""
    code = f"""
begin()
say(Started('t1', 'eager')); say(Ended('t1', stage('eager', graph('eager.0')))); say(Started('t1', 'export'))
while not os.path.exists({str(tmp_path / "go")!r}): time.sleep(0.01)
say(Ended('t1', stage('export'))); say(Bye())
"""
    id = store.create(submission(code, "eager", "export", "joint")).id
    claimed = store.claim()
    assert claimed is not None
    seen: list[dict[str, str]] = []

    def stopping() -> bool:
        summary = store.summary(id)
        if summary is not None and summary.targets:
            seen.append(statuses(summary))
            if seen[-1]["export"] == "running":
                (tmp_path / "go").touch()
        return False

    carry(claimed, store, settings, stopping)
    assert {"eager": "done", "export": "running", "joint": "queued"} in seen


def test_a_stage_that_fails_or_is_skipped_leaves_the_others(store: Store, settings: Settings) -> None:
    code = """
begin()
say(Ended('t1', stage('export', status='failed', failures=(Failure('Unsupported', 'data-dependent'),))))
say(Ended('t1', stage('backward', status='skipped', reason='nothing requires grad')))
say(Ended('t1', stage('eager', graph('eager.0')))); say(Bye())
"""
    summary = run(store, settings, code, "eager", "export", "backward")
    assert summary.status == "done"
    assert statuses(summary) == {"eager": "done", "export": "failed", "backward": "skipped"}
    assert stages(summary)["export"].failures == (Failure("Unsupported", "data-dependent"),)
    assert stages(summary)["backward"].reason == "nothing requires grad"


def test_nothing_to_capture_says_why(store: Store, settings: Settings) -> None:
    summary = run(store, settings, "say(Hello('2')); say(Nothing((Failure('SyntaxError', 'line 1'),))); say(Bye())")
    assert (summary.status, summary.failures, summary.targets) == ("failed", (Failure("SyntaxError", "line 1"),), ())


def test_what_was_printed_is_kept_to_the_letter(store: Store, settings: Settings) -> None:
    code = """
begin()
for byte in 'grüße 🦀\\n'.encode(): os.write(1, bytes([byte])); time.sleep(0.001)
os.write(2, b'\\xff half: \\xf0\\x9f')
"""
    log = store.log(run(store, settings, code).id)
    assert log is not None and log.text == "grüße 🦀\n\ufffd half: \ufffd"


def work_root() -> Path:
    return shared_pool().plan.root


def test_the_work_folder_is_private_and_gone_afterwards(store: Store, settings: Settings) -> None:
    code = """
print(os.getcwd(), os.listdir('.'), oct(os.stat('..').st_mode))
os.makedirs('a/b'); open('a/b/c', 'w').close(); os.symlink('/', 'root'); os.chmod('a/b', 0); os.chmod('a', 0)
for _ in range(1100): os.mkdir('d'); os.chdir('d')
"""
    log = store.log(run(store, settings, code).id)
    assert log is not None
    folder, *rest = log.text.split(maxsplit=1)
    zygote = Path(folder).parents[1]
    assert zygote.is_relative_to(work_root()) and rest == ["['model.py'] 0o40700\n"]
    assert [path.name for path in zygote.iterdir()] == ["home"]  # its own


def test_the_request_says_what_was_submitted(store: Store, settings: Settings) -> None:
    code = "print(REQUEST.entry, REQUEST.kind, REQUEST.options.stages, REQUEST.memory_bytes, REQUEST.route_seconds)"
    settings = dataclasses.replace(settings, route_wall_seconds=60)
    log = store.log(run(store, settings, code, "export").id)
    assert log is not None and log.text == f"model.py py ('export',) {4096 * 1024 * 1024} 60.0\n"


def test_the_environment_is_clean(store: Store, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHCAP_DATABASE_URL", "postgresql://user:secret@db/")
    log = store.log(run(store, settings, "print(dict(os.environ))").id)
    assert log is not None and "secret" not in log.text and "GRAPHCAP" not in log.text


# -------------------------------------------------------------------------------------------------- what ends too early

EAGER_THEN = """
begin()
say(Ended('t1', stage('eager', graph('eager.0'))))
say(Started('t1', 'export'))
"""

ENDS = {
    "endless loop": ("while True: pass", "cpu-limit", "1 s of CPU time (GRAPHCAP_CAPTURE_CPU_SECONDS)"),
    "sleeps for ever": ("time.sleep(600)", "timeout", "wall clock limit of 3 s (GRAPHCAP_CAPTURE_WALL_SECONDS)"),
    "os._exit": ("os._exit(7)", "user-error", "exit code 7"),
    "os._exit(0)": ("os._exit(0)", "no-result", "exit code 0"),
    "sys.exit": ("sys.exit(3)", "user-error", "exit code 3"),
    "segfault": ("import ctypes; ctypes.string_at(0)", "crashed", "SIGSEGV, a segmentation fault,"),
    "abort": ("os.abort()", "crashed", "SIGABRT"),
    "exception": ("raise KeyError", "user-error", "exit code 1"),
    "memory hog": ("bytearray(1 << 40)", "user-error", "exit code 1"),
}


@pytest.mark.parametrize("name", ENDS)
def test_stages_that_never_ended_fail_in_plain_words_and_the_rest_stays(store: Store, settings: Settings, name: str) -> None:
    code, kind, says = ENDS[name]
    limits = {"timeout": {"capture_wall_seconds": 3}, "cpu-limit": {"capture_cpu_seconds": 1}}.get(kind, {})
    summary = run(store, dataclasses.replace(settings, **limits), EAGER_THEN + code, "eager", "export", "joint")
    assert summary.status == "done" and summary.failures == ()
    assert statuses(summary) == {"eager": "done", "export": "failed", "joint": "failed"}
    assert store.graph(summary.id, "eager.0") is not None
    (export,), (joint,) = stages(summary)["export"].failures, stages(summary)["joint"].failures
    assert export.type == joint.type == kind
    assert says in export.message and export.message.endswith("while `export` ran")
    assert joint.message == f"not reached: {export.message}"


def test_every_way_to_end_has_words_of_its_own(settings: Settings) -> None:
    kinds = get_args(OutcomeKind)
    said = {kind: failure_of(Outcome(kind, exit_code=0, signal="SIGSEGV"), settings, "`export` ran") for kind in kinds}
    assert all(failure.message for failure in said.values())
    assert {kind for kind, failure in said.items() if not failure.hints} == {"cancelled", "invalid-result"}
    limit = f"{settings.capture_processes} processes (GRAPHCAP_CAPTURE_PROCESSES)"
    assert f"{limit} while `export` ran" in said["process-limit"].message
    assert {kind for kind, failure in said.items() if failure.type != kind} == {"ok"}


def test_it_failed_if_it_ended_before_any_stage_did(store: Store, settings: Settings) -> None:
    summary = run(store, settings, "begin(); say(Started('t1', 'eager')); os.abort()", "eager", "export")
    assert summary.status == "failed" and set(statuses(summary).values()) == {"failed"}
    assert summary.failures[0].message == "the capture process died of SIGABRT, an abort, while `eager` ran"


@pytest.mark.parametrize("code", ["os.abort()", "say(Hello('2')); os.abort()"])
def test_it_failed_if_it_ended_before_anything_was_found(store: Store, settings: Settings, code: str) -> None:
    summary = run(store, settings, code)
    assert summary.status == "failed" and summary.targets == ()
    assert (
        summary.failures[0].message == "the capture process died of SIGABRT, an abort, while the submitted code was loaded"
    )


def test_a_process_that_says_nothing_at_all(store: Store, settings: Settings) -> None:
    summary = run(store, settings, "pass")
    assert summary.status == "failed" and summary.failures[0].type == "no-result"


def test_stages_left_out_by_a_process_that_ran_to_its_end(store: Store, settings: Settings) -> None:
    summary = run(store, settings, "begin(); say(Bye())", "eager")
    assert summary.status == "done" and statuses(summary) == {"eager": "failed"}


def test_a_daemon_does_not_outlive_its_capture(store: Store, settings: Settings, tmp_path: Path) -> None:
    code = f"""
begin()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open({str(tmp_path / "pid")!r}, 'w').write(str(os.getpid()))
        while True: print('daemon', flush=True); time.sleep(0.01)
    os._exit(0)
while not os.path.exists({str(tmp_path / "pid")!r}) or not open({str(tmp_path / "pid")!r}).read(): time.sleep(0.01)
whole(); say(Bye())
"""
    summary = run(store, settings, code)
    assert summary.status == "done" and set(statuses(summary).values()) == {"done"}
    assert not alive(int((tmp_path / "pid").read_text()))


def test_a_log_flood_is_cut_and_counted(store: Store, settings: Settings) -> None:
    summary = run(store, settings, "begin(); [os.write(1, b'x' * 1000) for _ in range(1000)]; whole(); say(Bye())")
    assert summary.status == "done"
    assert (summary.log_bytes, summary.log_cut) == (4096, 1_000_000 - 4096)


def test_the_next_capture_works(store: Store, settings: Settings) -> None:
    for code in ("os.abort()", "raw(b'\\xff' * 100)", "os.kill(os.getppid(), 9)"):
        assert run(store, settings, code).status == "failed"
    assert run(store, settings, "begin(); whole(); say(Bye())").status == "done"
