"""Secrets of the server and of the machine. The test also looks for the planted secret in everything that was printed."""

# ruff: noqa: E501 - the code of an attack stands as it is sent
from __future__ import annotations

from tests.attacks.attack import Attack

ATTACKS = (
    Attack("a file that everybody may read", "attempt('read', lambda: open(canary.secret_file).read())", without="landlock"),
    Attack(
        "its folder",
        "attempt('list', lambda: os.listdir(canary.folder))\nattempt('root', lambda: os.listdir('/'))",
        without="landlock",
    ),
    Attack(
        "the database of captures",
        """
        import glob
        attempt("find", lambda: need(glob.glob(canary.data + "/*")))
        attempt("read", lambda: open(canary.data + "/graphcap.sqlite3", "rb").read(16))
        import sqlite3
        attempt("open", lambda: sqlite3.connect(canary.data + "/graphcap.sqlite3").execute("select * from captures").fetchall())
        """,
    ),
    Attack(
        "the server's environment",
        """
        say(dict(os.environ))
        block = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, "environ")
        say([block[n] for n in itertools.takewhile(lambda n: block[n], itertools.count())])
        for pid in ("self", 1, os.getppid(), canary.server, canary.zygote, canary.sibling):
            attempt(f"/proc/{pid}/environ", lambda: need(open(f"/proc/{pid}/environ", "rb").read()))
        """,
    ),
    Attack(
        "its own memory, for what the server left there",
        """
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        def pages(around, span):
            for address in range(around - span, around + span, 4096):
                try: os.write(writing, b"x") and os.read(reading, 1)
                except BlockingIOError: pass
                got = libc.write(writing, ctypes.c_void_p(address), ctypes.c_size_t(4096))
                if got > 0: yield os.read(reading, got)
        import re
        mark = re.compile(b"CANARY-[0-9a-f]{32}")  # does not find itself
        def search():
            around = {id(object()) & ~4095, id(os) & ~4095, ctypes.addressof(ctypes.c_int()) & ~4095}
            hits = [found for place in around for page in pages(place, 16 << 20) for found in mark.findall(page)]
            hits += [text for text in gc.get_objects() if isinstance(text, str) and mark.match(text.encode("utf-8", "replace"))]
            say(hits)
            return need(hits)
        attempt("memory", search)
        """,
    ),
    Attack(
        "/proc",
        """
        for path in ("/proc", "/proc/self/maps", "/proc/1/cmdline", f"/proc/{canary.sibling}/mem", "/proc/kcore", "/proc/kallsyms",
                     "/proc/sys/kernel/core_pattern", "/proc/mounts", "/proc/net/tcp", f"/proc/{canary.server}/fd", "/proc/self/fd"):
            attempt(path, lambda: need(os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(64)))
        """,
        without="landlock",
    ),
    Attack(
        "files of the machine",
        """
        for path in ("/etc/passwd", "/etc/shadow", "/etc/hostname", "/etc/machine-id", "/root/.ssh", "/root/.bash_history", "/home",
                     "/var/log", "/sys/fs/cgroup", "/sys/kernel", "/run/secrets", "/var/run/docker.sock", "/boot", "/tmp", "/var/tmp"):
            attempt(path, lambda: need(os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(64)))
        """,
        without="landlock",
    ),
    Attack(
        "devices",
        """
        for name in ("mem", "kmem", "kmsg", "sda", "vda", "tty", "console", "ptmx", "fuse", "kvm", "net/tun", "loop0", "fb0", "shm"):
            attempt(name, lambda: os.open("/dev/" + name, os.O_RDONLY | os.O_NONBLOCK))
        attempt("all of /dev", lambda: need(set(os.listdir("/dev")) - {"null", "zero", "random", "urandom"}))
        """,
    ),
    Attack(
        "reading through native code",
        """
        import torch
        attempt("torch.from_file", lambda: bytes(torch.from_file(canary.secret_file, size=30, dtype=torch.uint8).tolist()))
        attempt("fopen", lambda: need(libc.fopen(canary.secret_file.encode(), b"r")))
        attempt("a library", lambda: ctypes.CDLL(canary.secret_file))
        attempt("torch.load", lambda: torch.load(canary.secret_file))
        attempt("load_library", lambda: torch.ops.load_library(canary.secret_file))
        attempt("jit.load", lambda: torch.jit.load(canary.secret_file))
        """,
    ),
    Attack(
        "TorchScript reading and writing files",
        """
        import torch
        code = 'def forward(self, name: str):\\n    return torch.from_file(name, False, 30, dtype=0)\\n'
        module = torch.jit.ScriptModule()
        module.define(code)
        attempt("from_file", lambda: bytes(module(canary.secret_file).tolist()))
        attempt("save", lambda: torch.jit.save(module, canary.open_folder + "/saved"))
        del module  # else it is what is captured
        """,
    ),
    Attack(
        "ways round a path",
        """
        for path in ("../../../.." + canary.secret_file, "/./" + canary.secret_file, "//" + canary.secret_file,
                     "/dev/../" + canary.secret_file, "/usr/lib/../../" + canary.secret_file, "/proc/self/root" + canary.secret_file,
                     "/proc/self/cwd/../.." + canary.secret_file):
            attempt(path[:20], lambda: open(path).read())
        folder = os.open("/usr/lib", os.O_RDONLY | os.O_DIRECTORY)
        attempt("openat", lambda: os.open("../.." + canary.secret_file, os.O_RDONLY, dir_fd=folder))
        attempt("O_PATH", lambda: os.read(os.open(canary.secret_file, os.O_PATH), 10))
        attempt("chroot", lambda: os.chroot("."))
        attempt("a handle", lambda: syscall("open_by_handle_at", folder, ctypes.create_string_buffer(64), 0))
        """,
    ),
    Attack(
        "descriptors that were left open",
        """
        import stat
        def kind(number):
            mode = os.fstat(number).st_mode
            return (stat.S_ISSOCK(mode) and "a socket") or (stat.S_ISDIR(mode) and "a folder") or (stat.S_ISBLK(mode) and "a disk")
        def look():
            found = []
            for number in range(1024):
                try: found += [kind(number)] if kind(number) else []
                except OSError: pass
            return need(found)
        attempt("descriptors", look)
        attempt("the server's pipes, read", lambda: need([os.read(n, 1) for n in (1, 2)]))
        """,
    ),
)
