"""Its own limits and rights: it may lower them, never raise them."""

# ruff: noqa: E501 - the code of an attack stands as it is sent
from __future__ import annotations

from tests.attacks.attack import CPU, CRASHED, NOTHING, TIMEOUT, Attack, hard

ATTACKS = (
    Attack(
        "raising every limit",
        """
        for name in ("AS", "CPU", "NPROC", "NOFILE", "FSIZE", "CORE"):
            number = getattr(resource, "RLIMIT_" + name)
            hard = resource.getrlimit(number)[1]
            attempt(name, lambda: resource.setrlimit(number, (hard + 1, hard + 1)))
            attempt(name + " away", lambda: resource.setrlimit(number, (-1, -1)))
            attempt(name + " by prlimit", lambda: resource.prlimit(0, number, (hard + 1, hard + 1)))
        """,
    ),
    Attack(
        "limits that are there",
        """
        for name in ("AS", "CPU", "NPROC", "NOFILE", "FSIZE", "CORE"):
            attempt(name, lambda: need(resource.getrlimit(getattr(resource, "RLIMIT_" + name))[1] == resource.RLIM_INFINITY))
        """,
    ),
    Attack(
        "many open files",
        """
        held = []
        attempt("1000 files", lambda: [held.append(os.dup(1)) for _ in range(1000)])
        for number in held: os.close(number)
        """,
    ),
    Attack(
        "going before others",
        """
        attempt("nice", lambda: os.setpriority(os.PRIO_PROCESS, 0, -20))
        attempt("nicer", lambda: need(os.nice(-1) < 10))
        attempt("real time", lambda: syscall("sched_setscheduler", 0, 1, ctypes.byref(ctypes.c_int(50))))
        attempt("deadline", lambda: syscall("sched_setattr", 0, ctypes.create_string_buffer(struct.pack("IIQiIQQQ", 48, 6, 0, 0, 0, 10**7, 10**9, 10**9)), 0))
        attempt("the last to be killed", lambda: open("/proc/self/oom_score_adj", "w").write("-1000"))
        """,
    ),
    Attack(
        "becoming root",
        """
        attempt("being it", lambda: need(os.getuid() == 0 and os.getgid() == 0 and open("/root")))
        for name in ("setuid", "setgid", "setreuid", "setresuid"):
            attempt(name, lambda: getattr(os, name)(*[0] * {"setuid": 1, "setgid": 1, "setreuid": 2, "setresuid": 3}[name]))
        attempt("setgroups", lambda: os.setgroups([0]))
        header = (ctypes.c_uint32 * 2)(0x20080522, 0)
        attempt("capset", lambda: need(libc.capset(header, (ctypes.c_uint32 * 6)(*[0xffffffff] * 6)) == 0))
        def capabilities():
            sets = (ctypes.c_uint32 * 6)()
            libc.capget(header, sets)
            return need(any(sets))
        attempt("having a capability", capabilities)
        """,
    ),
    Attack(
        "leaving the jail by its own doors",
        """
        def prctl(*a): return need(libc.prctl(*a, 0, 0, 0) == 0)
        attempt("no_new_privs away", lambda: prctl(38, 0))
        attempt("dumpable", lambda: prctl(4, 1))
        attempt("a tracer", lambda: prctl(0x59616D61, -1))
        attempt("seccomp off", lambda: prctl(22, 0))
        attempt("a listener", lambda: syscall("seccomp", 1, 8, ctypes.byref((ctypes.c_uint64 * 2)())))
        attempt("graphcap's own unshare", lambda: __import__("graphcap.sandbox.jail.syscalls", fromlist=["x"]).unshare(0x10000000))
        """,
    ),
    hard(
        "time of many processes, one after the other",
        # In tier landlock the limit of processes is that of all jobs' user: a neighbour can have used it up for a moment.
        "while True:\n    try: child = os.fork()\n    except BlockingIOError: continue\n    if child == 0:\n        end = time.monotonic() + 0.2\n        while time.monotonic() < end: pass\n        os._exit(0)\n    os.wait()",
        TIMEOUT,
        CPU,
        slow="burns",
    ),
    hard(
        "a core file",
        "os.chdir(os.environ['TMPDIR'])\nresource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))\nos.abort()",
        CRASHED,
    ),
    hard(
        "changing its own limits to nothing",
        "for n in (resource.RLIMIT_AS, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE):\n    resource.setrlimit(n, (0, 0))",
        NOTHING,
        CRASHED,
        TIMEOUT,
        "exited",
        "internal",
        "MemoryError",
        "OSError",
    ),
)
