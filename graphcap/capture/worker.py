"""The processes of a capture.

    P  imports torch, stays free of the person's code            says Hello and Bye
    +- L  loads the submission, finds the targets                says Found or Nothing
       +- R  one per target and route, forked from L as loaded   says Started, Ended and Added

A process is watched by its parent, which relays its messages, stops it at its limit, and speaks for it when it died.
Where the submission left threads running, a fork of L could hang: then P forks each R itself, and R loads the file again.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import torch
import torch._dynamo
import torch._functorch.aot_autograd

from graphcap.capture.failures import failure_of
from graphcap.capture.find.code.importing import submitted_files
from graphcap.capture.find.submission import load_submission
from graphcap.capture.find.targets import Candidate
from graphcap.capture.logs.run import read_log
from graphcap.capture.process import limits
from graphcap.capture.process.channel import Sender, head_of, out_of_reach, stage_of
from graphcap.capture.process.child import FAILED, Ending, Task, run_child, run_children
from graphcap.capture.process.emit import MAX_NOTE, StageSender
from graphcap.capture.process.endings import failure_of_ending
from graphcap.capture.process.silence import silence
from graphcap.capture.record import Recorder
from graphcap.capture.routes import RUN, note_of
from graphcap.capture.stages.route import Later
from graphcap.capture.target.tensors import measured_of
from graphcap.graph.document import ROUTES, Route, Stage, StageId, Target
from graphcap.graph.stream import Added, Bye, Ended, Found, Hello, Message, Nothing, Request, decode

CHECKING = "running its graphs to compare them with eager PyTorch"
RELOAD = 71  # exit code of L: threads are running, fork the routes from P


@dataclasses.dataclass(frozen=True)
class Job:
    """What all processes of a capture know."""

    request: Request
    folder: Path
    users: dict[str, str]
    give_up_processes: Callable[[], None]

    @property
    def path(self) -> Path:
        """The submitted file."""
        return self.folder / self.request.entry


def capture(
    request: Request,
    folder: Path,
    result_fd: int,
    give_up_processes: Callable[[], None] = lambda: None,
    users: dict[str, str] | None = None,
) -> int:
    """Process P. Returns its exit code. `give_up_processes` is called in each R: from there on it can start no process.

    `users` are the files that belong to the submission, by absolute path, where not all of the folder do.
    """
    prepare()
    fd = out_of_reach(result_fd)
    out = Sender(fd)
    if request.kind == "log":
        return capture_log(request, folder, out)
    out.send(Hello(str(torch.__version__)))
    job = Job(request, folder, submitted_files(folder) if users is None else users, give_up_processes)
    said: list[Message] = []
    ending = run_child(
        partial(load_and_run, job),
        seconds=request.route_seconds,
        passed_on=partial(_relay_loader, out, said),
        close=(fd,),
    )
    if not said:
        failure = failure_of_ending(ending, job.users, f"importing {request.entry}", request.route_seconds)
        out.send(Nothing((failure,)))
    elif isinstance(said[0], Found) and ending != Ending("exit", 0, ending.stack):
        if ending.how != "exit" or ending.code != RELOAD:
            return FAILED  # the reader fails what is missing, with this outcome
        _run_routes(job, {t.id: (t, partial(_reload_and_run, job, t.id)) for t in said[0].targets}, out, (fd,))
    out.send(Bye())
    return 0


def capture_log(request: Request, folder: Path, out: Sender) -> int:
    """Process P for a log of a run: a process of its own reads it, and says all; nothing of it is run."""
    users = submitted_files(folder)

    def work(sender: Sender) -> None:
        limits.limit_memory(request.memory_bytes)
        read_log(request, folder, users, sender, print)

    def passed_on(body: bytes) -> bool:
        said.append(head_of(body).m)
        out.relay_body(body)
        return False

    said: list[str] = []
    ending = run_child(work, seconds=request.route_seconds, passed_on=passed_on, close=(out.fd,))
    if ending != Ending("exit", 0, ending.stack):
        failure = failure_of_ending(ending, users, f"reading {request.entry}", request.route_seconds)
        if "hello" not in said:
            out.send(Hello("unknown"))
        if "found" in said:
            return FAILED  # the reader fails what is missing, with this outcome
        if "nothing" not in said:
            out.send(Nothing((failure,)))
    out.send(Bye())
    return 0


def prepare() -> None:
    """What must be so before anything is forked or loaded."""
    while (fd := os.open(os.devnull, os.O_RDWR)) <= 2:  # a closed stdin must not become the number of our next pipe
        os.set_inheritable(fd, True)
    os.close(fd)
    one_thread()
    sys.dont_write_bytecode = True
    limits.no_core_dumps()
    limits.adopt_orphans()
    with contextlib.suppress(Exception):  # stdout may be closed
        sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # what a crashing process printed is kept
    # torch's own, from copying pytrees; it says nothing about the person's code
    warnings.filterwarnings("ignore", message=r"`isinstance\(treespec, LeafSpec\)` is deprecated")


def one_thread() -> None:
    """torch's thread pools do not survive a fork."""
    torch.set_num_threads(1)
    if torch.get_num_interop_threads() != 1:
        torch.set_num_interop_threads(1)  # only once in a process


def _relay_loader(out: Sender, said: list[Message], body: bytes) -> bool:
    """Passes on what L sends; its time limit ends with its first word, Found or Nothing."""
    if not said:
        said.append(decode(body))
    out.relay_body(body)
    return True


def load_and_run(job: Job, sender: Sender) -> None:
    """Process L."""
    limits.limit_memory(job.request.memory_bytes)
    submission = load_submission(job.path, job.request.kind, job.request.options, job.users, job.request.guessed)
    if not submission.candidates:
        sender.send(Nothing(submission.failures))
        return
    sender.send(Found(tuple(candidate.target() for candidate in submission.candidates)))
    if limits.threads_running():
        sys.exit(RELOAD)
    works = {each.loaded.id: (each.target(), partial(_run_route, job, each)) for each in submission.candidates}
    _run_routes(job, works, sender, (sender.fd,))


def _run_routes(
    job: Job, works: Mapping[str, tuple[Target, Callable[[Route, Sender], None]]], out: Sender, close: tuple[int, ...] = ()
) -> None:
    """Every route of every target (id -> the target, and what runs one of its routes), some side by side."""
    tasks = [
        _task(job, id_, route, wanted, partial(work, route), out)
        for id_, (target, work) in works.items()
        for route in RUN
        if (wanted := _wanted(job, target, route))
    ]
    run_children(tasks, seconds=job.request.route_seconds, at_once=job.request.routes_at_once, close=close)


def _wanted(job: Job, target: Target, route: Route) -> tuple[StageId, ...]:
    return tuple(stage for stage in target.stages_among(job.request.options.stages) if stage in ROUTES[route])


def _task(
    job: Job, id_: str, route: Route, wanted: tuple[StageId, ...], work: Callable[[Sender], None], out: Sender
) -> Task:
    """Process R, whose messages are passed on, and which is spoken for where it did not speak."""
    ended: set[StageId] = set()

    def passed_on(body: bytes) -> bool:
        head = head_of(body)
        if head.m == "ended":
            ended.add(stage_of(head))
        out.relay_body(body)
        return False

    def rests() -> bool:
        return len(ended) == len(wanted)

    def over(ending: Ending) -> None:
        doing = CHECKING if rests() else f"running the route {route}"
        failure = failure_of_ending(ending, job.users, doing, job.request.route_seconds)
        for stage in wanted:
            if stage not in ended:
                out.send(Ended(id_, Stage(stage, "failed", failures=(failure,))))
        if rests() and ending != Ending("exit", 0, ending.stack):
            out.send(Added(id_, wanted[-1], notes=(failure.message,)))

    return Task(work, passed_on, over, rests)


def _run_route(job: Job, candidate: Candidate, route: Route, sender: Sender) -> None:
    """Process R. What its route lets through fails the stages that are left."""
    job.give_up_processes()
    options = job.request.options
    target = dataclasses.replace(candidate.loaded, programs_to=job.request.programs_to)
    emit = StageSender(
        sender,
        target.id,
        _wanted(job, candidate.target(), route),
        job.request.message_bytes,
        job.request.nodes,
        job.users,
        note=note_of(route, target),
    )
    later: Sequence[Later] = ()
    try:
        set_mode(candidate, options.mode)
        torch._dynamo.reset()
        measured = measured_of(target.model) if options.parameter_statistics else None
        later = RUN[route](target, options, Recorder(job.users, target.model, measured), emit)
    except BaseException as error:  # SystemExit in a forward, our own faults: data, not a silent end
        failure = failure_of(error, job.users)
        for stage in emit.left:
            emit.ended(Stage(stage, "failed", failures=(failure,)))
    for stage in emit.left:
        emit.ended(Stage(stage, "skipped", reason=f"the route {route} gave nothing for it"))
    if later:
        sender.await_leave()
        with silence():
            _do_later(later, target.id, emit, job.users)


def _do_later(later: Sequence[Later], target: str, emit: StageSender, users: Mapping[str, str]) -> None:
    """What no stage waits for. A fault in it is a note: the stages are had."""
    for work in later:
        try:
            work.do()
        except BaseException as error:  # the person's code runs in it
            failure = failure_of(error, users)
            emit.added(
                Added(target, work.stage, notes=(f"{failure.type} while {work.doing}: {failure.message}"[:MAX_NOTE],))
            )


def set_mode(candidate: Candidate, mode: str) -> None:
    """The modes the submodules had at the script's call, then the one asked for."""
    model = candidate.loaded.model
    for module, training in candidate.loaded.modes:
        module.training = training
    if isinstance(model, torch.nn.Module) and candidate.loaded.program is None:
        model._compiled_call_impl = None  # model.compile(): routes compile it themselves
        if mode != "as_written":
            model.train(mode == "train")


def _reload_and_run(job: Job, id_: str, route: Route, sender: Sender) -> None:
    """Process R forked from P: loads the submission again, in silence, then runs its route."""
    limits.limit_memory(job.request.memory_bytes)
    with silence():
        found = load_submission(job.path, job.request.kind, job.request.options, job.users)
    candidate = next((c for c in found.candidates if c.loaded.id == id_), None)
    if candidate is None:
        raise RuntimeError(f"loaded a second time, {job.request.entry} no longer gave the target {id_}")
    _run_route(job, candidate, route, sender)
