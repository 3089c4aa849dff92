"""The kernel: what a capture never needs is not there."""

# ruff: noqa: E501 - the code of an attack stands as it is sent
from __future__ import annotations

import platform

from tests.attacks.attack import CRASHED, Attack, hard

X86 = platform.machine() == "x86_64"

IN_MACHINE_CODE = """
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write({code!r})
call = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
say("[OUT] " + str(call()))
"""
GETPID_32 = bytes.fromhex("b814000000cd80c3")  # mov eax, 20; int 0x80; ret
GETPID_X32 = bytes.fromhex("b8270000400f05c3")  # mov eax, 0x40000027; syscall; ret

ATTACKS = (
    Attack(
        "namespaces of its own",
        """
        for name, flag in (("user", 0x10000000), ("mount", 0x20000), ("net", 0x40000000), ("pid", 0x20000000), ("uts", 0x4000000)):
            attempt(name, lambda: syscall("unshare", flag))
        attempt("setns", lambda: syscall("setns", 0, 0))
        """,
        without="seccomp",
    ),
    Attack(
        "mounts",
        """
        attempt("mount", lambda: syscall("mount", b"none", b".", b"tmpfs", 0, 0))
        attempt("remount", lambda: syscall("mount", b"none", b"/", 0, 32, 0))
        attempt("bind", lambda: syscall("mount", b"/", b".", 0, 4096, 0))
        attempt("umount", lambda: syscall("umount2", b"/", 2))
        attempt("pivot_root", lambda: syscall("pivot_root", b".", b"."))
        attempt("open_tree", lambda: syscall("open_tree", -100, b"/", 1))
        attempt("fsopen", lambda: syscall("fsopen", b"tmpfs", 0))
        attempt("move_mount", lambda: syscall("move_mount", -100, b"/", -100, b".", 0))
        """,
    ),
    Attack("io_uring", "attempt('io_uring', lambda: syscall('io_uring_setup', 8, ctypes.create_string_buffer(120)))"),
    Attack("bpf", "attempt('bpf', lambda: syscall('bpf', 0, ctypes.create_string_buffer(128), 128))"),
    Attack("userfaultfd", "attempt('userfaultfd', lambda: syscall('userfaultfd', 1))", without="seccomp"),
    Attack(
        "perf",
        "attempt('perf', lambda: syscall('perf_event_open', ctypes.create_string_buffer(struct.pack('IIQ', 1, 112, 0) + bytes(96)), 0, -1, -1, 0))",
    ),
    Attack(
        "the kernel's keys",
        """
        attempt("add_key", lambda: syscall("add_key", b"user", b"attack", b"x", 1, -2))
        attempt("keyctl", lambda: syscall("keyctl", 0, -3, 1))
        attempt("request_key", lambda: syscall("request_key", b"user", b"attack", 0, -2))
        """,
        without="seccomp",
    ),
    Attack(
        "the machine itself",
        """
        attempt("reboot", lambda: syscall("reboot", 0xfee1dead, 672274793, 0, 0))
        attempt("kexec", lambda: syscall("kexec_load", 0, 0, 0, 0))
        attempt("a module", lambda: syscall("init_module", 0, 0, b""))
        attempt("swapon", lambda: syscall("swapon", b"/", 0))
        attempt("the clock", lambda: syscall("clock_settime", 0, ctypes.byref((ctypes.c_long * 2)(1, 1))))
        attempt("the host name", lambda: syscall("sethostname", b"attacked", 8))
        attempt("the kernel's log", lambda: syscall("syslog", 3, ctypes.create_string_buffer(64), 64))
        attempt("accounting", lambda: syscall("acct", 0))
        attempt("quotas", lambda: syscall("quotactl", 0x80000100, 0, 0, 0))
        """,
    ),
    Attack(
        "watching files of others",
        """
        attempt("fanotify", lambda: syscall("fanotify_init", 0, 0))
        attempt("inotify", lambda: syscall("inotify_init1", 0))
        attempt("handles", lambda: syscall("name_to_handle_at", -100, b"/", ctypes.create_string_buffer(bytes([120]) + bytes(200)), ctypes.byref(ctypes.c_int()), 0))
        """,
        without="seccomp",
    ),
    Attack(
        "rarely used corners",
        """
        attempt("personality", lambda: syscall("personality", 0x0040000))
        attempt("vmsplice", lambda: syscall("vmsplice", os.pipe()[1], (ctypes.c_uint64 * 2)(id(os), 16), 1, 0))
        attempt("migrate_pages", lambda: syscall("migrate_pages", 0, 0, 0, 0))
        attempt("vhangup", lambda: syscall("vhangup"))
        attempt("no such call", lambda: syscall(999))
        attempt("typing into a terminal", lambda: fcntl.ioctl(0, 0x5412, b"x"))
        """,
        without="seccomp",
    ),
    *(
        (
            hard("a 32-bit system call", IN_MACHINE_CODE.format(code=GETPID_32), CRASHED),
            hard("an x32 system call", IN_MACHINE_CODE.format(code=GETPID_X32), CRASHED),
        )
        if X86
        else ()
    ),
)
