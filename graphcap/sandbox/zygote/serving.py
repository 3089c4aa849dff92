"""The zygote's loop: a supervisor for every job, an answer to every ping, until the server is gone.

One supervisor is always forked ahead, with everything made ready that a job needs: what comes then only has to be handed on.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import sys
import time
from types import FrameType

from graphcap.sandbox.zygote import protocol
from graphcap.sandbox.zygote.job import Ward
from graphcap.sandbox.zygote.supervising import supervise
from graphcap.sandbox.zygote.watching import lifeline
from graphcap.sandbox.zygote.watching.descendants import kill_below

AHEAD_SECONDS = 0.5  # after a job came the next supervisor is forked: not at once, for the job needs the processor now


class Zygote:
    """`serve` returns when the server is gone; the supervisors notice, and end their jobs."""

    def __init__(self, control: socket.socket, ward: Ward) -> None:
        self._control = control
        self._ward = ward
        lifeline.adopt_orphans()  # those of a supervisor that was killed
        self._watch, self._hold = lifeline.pipe()
        self._woken = _wake_on_children()
        self._jobs: dict[int, int] = {}  # supervisor -> its job, 0: waits for one
        self._spare: tuple[int, socket.socket] | None = None
        self._fork_at = time.monotonic()

    def serve(self) -> None:
        """Until the server is gone."""
        poll = select.poll()
        for descriptor in (self._control.fileno(), self._woken):
            poll.register(descriptor, select.POLLIN)
        while True:
            left = None if self._spare else max(0.0, self._fork_at - time.monotonic()) * 1000
            ready = dict(poll.poll(left))
            if self._woken in ready:
                with contextlib.suppress(BlockingIOError):
                    os.read(self._woken, 4096)
                if not self._reap():
                    return
            if self._control.fileno() in ready and not self._listen():
                return
            if self._spare is None and time.monotonic() >= self._fork_at:
                self._spare = self._fork()

    def _listen(self) -> bool:
        """Does what the server says; False: it is gone."""
        received = protocol.from_server(self._control)
        if received is None:
            return False
        message, descriptors = received
        match message:
            case protocol.Ping(number):
                protocol.send(self._control, protocol.Pong(number))
            case protocol.Kill(job):
                for pid in [pid for pid, its in self._jobs.items() if its == job]:
                    os.kill(pid, signal.SIGKILL)
            case protocol.Start():
                self._hand_on(message, tuple(descriptors))
        for descriptor in descriptors:
            os.close(descriptor)
        return True

    def _hand_on(self, start: protocol.Start, descriptors: tuple[int, ...]) -> None:
        pid, channel = self._spare or self._fork()
        self._spare = None
        self._fork_at = time.monotonic() + AHEAD_SECONDS
        self._jobs[pid] = start.job
        with channel, contextlib.suppress(OSError):  # it died: that ends the job's descriptors, and the server sees it
            protocol.send(channel, start, descriptors)

    def _fork(self) -> tuple[int, socket.socket]:
        """A supervisor that waits for its job, and the channel on which it is told."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_CLOEXEC)
        sys.stdout.flush()
        sys.stderr.flush()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        pid = os.fork()
        if pid == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            for descriptor in (self._control.detach(), ours.detach(), self._woken, self._hold):
                os.close(descriptor)
            supervise(theirs, self._ward, self._watch)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()
        self._jobs[pid] = 0
        return pid, ours

    def _reap(self) -> bool:
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
            if pid == self._ward.prepared.reaper:
                return False
            lost |= self._jobs.pop(pid, None) is not None and status != 0
            if self._spare is not None and pid == self._spare[0]:
                self._spare[1].close()
                self._spare, self._fork_at = None, time.monotonic() + AHEAD_SECONDS
        if lost and not self._ward.prepared.reaper:
            kill_below(self._ward.prepared.proc_fd, spared=self._jobs)
        return True


def _wake_on_children() -> int:
    """A descriptor that is readable when a child has ended."""

    def ignore(number: int, frame: FrameType | None) -> None:
        """The wake-up descriptor says it all."""

    reading, writing = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, ignore)
    return reading
