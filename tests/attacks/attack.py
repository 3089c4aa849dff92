"""One attack: a submission, how it must end, and what must hold afterwards. What it finds in its hands is in PRELUDE."""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Callable, Mapping
from typing import Literal

from graphcap.sandbox.jail.policy import Layer

NOTHING = "nothing-to-capture"
"""How a submission without a model ends: it ran through, and the capture process is in order."""

TIMEOUT = "timeout"
DONE = "done"
CRASHED = "crashed"
EXITED = "exited"
MEMORY = "memory-limit"
PROCESSES = "process-limit"
FILES = "file-limit"
CPU = "cpu-limit"
KILLED = "killed"
INVALID = "invalid-result"
NO_RESULT = "no-result"

PRELUDE = """
import ctypes, ctypes.util, errno, fcntl, gc, itertools, json, mmap, os, platform, resource, select, signal, socket, struct
import subprocess, sys, tempfile, threading, time
from types import SimpleNamespace
canary = SimpleNamespace(**{canaries!r})
libc = ctypes.CDLL(None, use_errno=True)

def say(text):
    os.write(1, (str(text)[:400] + "\\n").encode("utf-8", "replace"))

def attempt(name, what):
    try:
        got = what()
    except BaseException as error:
        say(f"[stopped] {{name}}: {{type(error).__name__}}: {{error}}")
    else:
        say(f"[OUT] {{name}}: {{got!r}}")

class Stopped(Exception):
    pass

def need(found):
    if not found:
        raise Stopped("got nothing")
    return found

NUMBERS = {{  # x86_64, aarch64
    "ptrace": (101, 117), "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "chroot": (161, 51), "bpf": (321, 280), "userfaultfd": (323, 282),
    "perf_event_open": (298, 241), "add_key": (248, 217), "keyctl": (250, 219), "request_key": (249, 218),
    "init_module": (175, 105), "kexec_load": (246, 104), "reboot": (169, 142), "swapon": (167, 224),
    "clock_settime": (227, 112), "sethostname": (170, 161), "memfd_create": (319, 279), "memfd_secret": (447, 447),
    "shmget": (29, 194), "msgget": (68, 186), "semget": (64, 190), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "pidfd_getfd": (438, 438), "process_madvise": (440, 440), "kcmp": (312, 272),
    "io_uring_setup": (425, 425), "open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264),
    "fanotify_init": (300, 262), "personality": (135, 92), "quotactl": (179, 60), "syslog": (103, 116),
    "acct": (163, 89), "vhangup": (153, 58), "ioprio_set": (251, 30), "sched_setattr": (314, 274),
    "sched_setscheduler": (144, 119), "migrate_pages": (256, 238), "move_pages": (279, 239), "clone": (56, 220),
    "clone3": (435, 435), "seccomp": (317, 277), "prlimit64": (302, 261), "rt_sigqueueinfo": (129, 138),
    "mlock": (149, 228), "mlockall": (151, 230), "open_tree": (428, 428), "fsopen": (430, 430),
    "move_mount": (429, 429), "mount_setattr": (442, 442), "vmsplice": (278, 75), "tee": (276, 77),
    "setuid": (105, 146), "mq_open": (240, 180), "execveat": (322, 281), "inotify_init1": (294, 26),
    "landlock_create_ruleset": (444, 444),
}}
COLUMN = 0 if platform.machine() == "x86_64" else 1

def syscall(name, *arguments):
    number = NUMBERS[name][COLUMN] if isinstance(name, str) else name
    result = libc.syscall(ctypes.c_long(number), *(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result

def channels():
    "The pipes this process can write to, printed output aside: what the capture says goes through one of them."
    found = []
    for number in range(3, 1024):
        try:
            if os.path.stat.S_ISFIFO(os.fstat(number).st_mode) and fcntl.fcntl(number, fcntl.F_GETFL) & 3 == os.O_WRONLY:
                found.append(number)
        except OSError:
            pass
    return found

def send(data):
    for number in channels():
        view = memoryview(data)
        while view:
            view = view[os.write(number, view):]

def framed(body):
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    return struct.pack(">I", len(body)) + body

HELLO = {{"m": "hello", "torch": "9"}}
FOUND = {{"m": "found", "targets": [{{"id": "t1", "title": "forged", "rule": "forged"}}]}}
STARTED = {{"m": "started", "target": "t1", "stage": "export"}}
say("[began]")
"""

TRIED = "\nsay('[tried]')\n"

MODEL = """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
{body}
        return x.sin()
model = Model()
example_args = (torch.ones(3),)
"""


@dataclasses.dataclass(frozen=True)
class Attack:
    """`code` sees PRELUDE's names. `ends`: how the capture may end, in the words a person reads (a failure's type).

    `tries`: whether it says at the end that it came through, and at least one attempt was stopped. `slow`: it ends at a
    limit of time, having waited or having burnt a core; such are run side by side. `then`: a later capture, which must not
    see what it left. `without`: with this layer missing in tier landlock it succeeds. `upload`: makes an archive of a sound
    one, in place of code. `refused`: the error code with which that is turned away at the door. `log`: what must be printed.
    `tiers`: where it is tried; what ends otherwise in one than in the other stands once for each.
    """

    name: str
    code: str = ""
    ends: tuple[str, ...] = (NOTHING,)
    tries: bool = True
    slow: Literal["", "waits", "burns"] = ""
    then: str = ""
    without: Layer | Literal[""] = ""
    upload: Callable[[bytes], bytes] | None = None
    refused: str = ""
    log: str = ""
    tiers: tuple[str, ...] = ("namespaces", "landlock")

    def source(self, canaries: Mapping[str, object], code: str | None = None) -> str:
        """The submission."""
        text = textwrap.dedent(self.code if code is None else code)
        return PRELUDE.format(canaries=dict(canaries)) + text + TRIED


def hard(name: str, code: str, *ends: str, **more: object) -> Attack:
    """An attack that ends its process, or is ended."""
    return Attack(name, code, ends=ends, tries=False, **more)  # type: ignore[arg-type]


def waits(name: str, code: str, *ends: str) -> Attack:
    """An attack that does nothing until a limit of time."""
    return hard(name, code, *(ends or (TIMEOUT,)), slow="waits")


def burns(name: str, code: str, *ends: str) -> Attack:
    """An attack that is busy until a limit of time."""
    return hard(name, code, *(ends or (TIMEOUT,)), slow="burns")


def in_forward(body: str) -> str:
    """A model whose forward is hostile."""
    return MODEL.format(body=textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8))
