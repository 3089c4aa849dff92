"""The processes of a capture.

    P  imports torch, stays free of the person's code            says Hello and Bye
    +- L  loads the submission, finds the targets                says Found or Nothing
       +- R  one per target and route, forked from L as loaded   says Started and Ended

A process is watched by its parent, which relays its messages, stops it at its limit, and speaks for it when it died.
Where the submission left threads running, a fork of L could hang: then P forks each R itself, and R loads the file again.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import torch
import torch._dynamo
import torch._functorch.aot_autograd

from graphcap.capture.failures import failure_of
from graphcap.capture.find.load import submitted_files
from graphcap.capture.find.submission import Submission, load_submission
from graphcap.capture.find.targets import Candidate
from graphcap.capture.process import limits
from graphcap.capture.process.channel import Sender, head_of, out_of_reach, stage_of
from graphcap.capture.process.child import FAILED, Ending, run_child
from graphcap.capture.process.endings import failure_of_ending
from graphcap.capture.record import Recorder
from graphcap.capture.routes import RUN
from graphcap.capture.stages.emit import StageSender
from graphcap.graph.document import ROUTES, Route, Stage, StageId
from graphcap.graph.stream import Bye, Ended, Found, Hello, Message, Nothing, Request, decode

RELOAD = 71  # exit code of L: threads are running, fork the routes from P


@dataclasses.dataclass(frozen=True)
class Job:
    """What all processes of a capture know."""

    request: Request
    folder: Path
    users: dict[str, str]

    @property
    def path(self) -> Path:
        """The submitted file."""
        return self.folder / self.request.entry


def capture(request: Request, folder: Path, result_fd: int) -> int:
    """Process P. Returns its exit code."""
    prepare()
    fd = out_of_reach(result_fd)
    out = Sender(fd)
    out.send(Hello(str(torch.__version__)))
    job = Job(request, folder, submitted_files(folder))
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
        for target in said[0].targets:
            _run_routes(job, target.id, partial(_reload_and_run, job, target.id), out, (fd,))
    out.send(Bye())
    return 0


def prepare() -> None:
    """What must be so before anything is forked or loaded."""
    while (fd := os.open(os.devnull, os.O_RDWR)) <= 2:  # a closed stdin must not become the number of our next pipe
        os.set_inheritable(fd, True)
    os.close(fd)
    torch.set_num_threads(1)  # a thread pool does not survive a fork
    torch.set_num_interop_threads(1)
    sys.dont_write_bytecode = True
    limits.no_core_dumps()
    limits.adopt_orphans()
    with contextlib.suppress(Exception):  # stdout may be closed
        sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # what a crashing process printed is kept
    # torch's own, from copying pytrees; it says nothing about the person's code
    warnings.filterwarnings("ignore", message=r"`isinstance\(treespec, LeafSpec\)` is deprecated")


def _relay_loader(out: Sender, said: list[Message], body: bytes) -> bool:
    """Passes on what L sends; its time limit ends with its first word, Found or Nothing."""
    if not said:
        said.append(decode(body))
    out.relay_body(body)
    return True


def load_and_run(job: Job, sender: Sender) -> None:
    """Process L."""
    limits.limit_memory(job.request.memory_bytes)
    submission = load_submission(job.path, job.request.kind, job.request.options, job.users)
    if not submission.candidates:
        sender.send(Nothing(submission.failures))
        return
    sender.send(Found(tuple(candidate.target() for candidate in submission.candidates)))
    if len(os.listdir("/proc/self/task")) > 1:
        sys.exit(RELOAD)
    for candidate in submission.candidates:
        _run_routes(job, candidate.loaded.id, partial(_run_route, job, candidate), sender, (sender.fd,))


def _run_routes(job: Job, id_: str, work: Callable[[Route, Sender], None], out: Sender, close: tuple[int, ...] = ()) -> None:
    for route in RUN:
        if wanted := _wanted(job, route):
            _run_one(job, id_, route, wanted, partial(work, route), out, close)


def _wanted(job: Job, route: Route) -> tuple[StageId, ...]:
    return tuple(stage for stage in ROUTES[route] if stage in job.request.options.stages)


def _run_one(
    job: Job,
    id_: str,
    route: Route,
    wanted: tuple[StageId, ...],
    work: Callable[[Sender], None],
    out: Sender,
    close: tuple[int, ...],
) -> None:
    """Runs R and speaks for it where it did not."""
    ended: set[StageId] = set()

    def passed_on(body: bytes) -> bool:
        head = head_of(body)
        if head.m == "ended":
            ended.add(stage_of(head))
        out.relay_body(body)
        return False

    ending = run_child(work, seconds=job.request.route_seconds, passed_on=passed_on, close=close)
    missing = [stage for stage in wanted if stage not in ended]
    for stage in missing:
        failure = failure_of_ending(ending, job.users, f"running the route {route}", job.request.route_seconds)
        out.send(Ended(id_, Stage(stage, "failed", failures=(failure,))))


def _run_route(job: Job, candidate: Candidate, route: Route, sender: Sender) -> None:
    """Process R. What its route lets through fails the stages that are left."""
    target, options = candidate.loaded, job.request.options
    emit = StageSender(sender, target.id, _wanted(job, route), job.request.message_bytes)
    try:
        set_mode(candidate, options.mode)
        torch._dynamo.reset()
        RUN[route](target, options, Recorder(job.users, target.model), emit)
    except BaseException as error:  # SystemExit in a forward, our own faults: data, not a silent end
        failure = failure_of(error, job.users)
        for stage in emit.left:
            emit.ended(Stage(stage, "failed", failures=(failure,)))
    for stage in emit.left:
        emit.ended(Stage(stage, "skipped", reason=f"the route {route} gave nothing for it"))


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
    with _silence():
        submission: Submission = load_submission(job.path, job.request.kind, job.request.options, job.users)
    candidate = next((c for c in submission.candidates if c.loaded.id == id_), None)
    if candidate is None:
        raise RuntimeError(f"loaded a second time, {job.request.entry} no longer gave the target {id_}")
    _run_route(job, candidate, route, sender)


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """stdout and stderr to nowhere: what a file prints when loaded again was shown the first time."""
    kept = [(fd, os.dup(fd)) for fd in (1, 2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    sys.stdout.flush()
    try:
        for fd, _ in kept:
            os.dup2(nowhere, fd)
        yield
    finally:
        sys.stdout.flush()
        for fd, copy in kept:
            os.dup2(copy, fd)
            os.close(copy)
        os.close(nowhere)
