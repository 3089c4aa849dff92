"""The zygote's loop: a supervisor for every job, an answer to every ping, until the server is gone."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import sys
from types import FrameType

from graphcap.sandbox.zygote import lifeline, protocol
from graphcap.sandbox.zygote.descendants import kill_below
from graphcap.sandbox.zygote.supervising import Descriptors, Ward, supervise


def serve(control: socket.socket, ward: Ward) -> None:
    """Returns when the server's end of `control` is closed; the supervisors notice, and end their jobs."""
    lifeline.adopt_orphans()  # those of a supervisor that was killed
    watch, hold = lifeline.pipe()
    woken = _wake_on_children()
    supervisors: dict[int, int] = {}  # pid -> job
    poll = select.poll()
    for descriptor in (control.fileno(), woken):
        poll.register(descriptor, select.POLLIN)
    while True:
        ready = dict(poll.poll())
        if woken in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(woken, 4096)
            if not _reap(ward, supervisors):
                return
        if control.fileno() not in ready:
            continue
        received = protocol.from_server(control)
        if received is None:
            return
        message, descriptors = received
        match message:
            case protocol.Ping(number):
                protocol.send(control, protocol.Pong(number))
            case protocol.Kill(job):
                for pid in [pid for pid, its in supervisors.items() if its == job]:
                    os.kill(pid, signal.SIGKILL)
            case protocol.Start():
                pid = _fork()
                if pid == 0:
                    for descriptor in (control.detach(), woken, hold):
                        os.close(descriptor)
                    supervise(message, Descriptors(*descriptors), ward, watch)
                supervisors[pid] = message.job
        for descriptor in descriptors:
            os.close(descriptor)


def _fork() -> int:
    """A fork whose child has none of this loop's signal handling."""
    sys.stdout.flush()
    sys.stderr.flush()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    pid = os.fork()
    if pid == 0:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return pid


def _wake_on_children() -> int:
    """A descriptor that is readable when a child has ended."""

    def ignore(number: int, frame: FrameType | None) -> None:
        """The wake-up descriptor says it all."""

    reading, writing = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, ignore)
    return reading


def _reap(ward: Ward, supervisors: dict[int, int]) -> bool:
    """Collects what ended. False: the first process of our pid namespace did, and nothing can be forked any more.

    A supervisor that was killed may have left its job behind; where there is no pid namespace that is ended here.
    """
    lost = False
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            break
        if pid == 0:
            break
        if pid == ward.prepared.reaper:
            return False
        lost |= supervisors.pop(pid, 0) != 0 and status != 0
    if lost and not ward.prepared.reaper:
        kill_below(ward.prepared.proc_fd, spared=supervisors)
    return True
