"""Other processes and other captures: unharmed, unread, and nothing is left for the next."""

# ruff: noqa: E501 - the code of an attack stands as it is sent
from __future__ import annotations

from tests.attacks.attack import EXITED, KILLED, NO_RESULT, NOTHING, TIMEOUT, Attack, hard

ATTACKS = (
    Attack(
        "killing a process by its number",
        """
        for pid in (canary.sibling, canary.server, canary.zygote):
            for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, 0):
                attempt(f"kill {pid} {number}", lambda: os.kill(pid, number))
        """,
    ),
    hard("killing everything", "os.kill(-1, signal.SIGKILL)\nsay('[tried]')", KILLED, NOTHING, TIMEOUT),
    hard(
        "killing everything, from a child",
        "if os.fork() == 0:\n    os.kill(-1, signal.SIGKILL)\n    os._exit(0)\ntime.sleep(1)",
        KILLED,
        NOTHING,
        TIMEOUT,
        "crashed",
        EXITED,
        NO_RESULT,
    ),
    Attack(
        "signals by other ways",
        """
        attempt("rt_sigqueueinfo", lambda: syscall("rt_sigqueueinfo", canary.sibling, 9, ctypes.create_string_buffer(128)))
        attempt("pidfd", lambda: signal.pidfd_send_signal(os.pidfd_open(canary.sibling), signal.SIGKILL))
        def by_pipe():
            reading, writing = os.pipe()
            fcntl.fcntl(reading, fcntl.F_SETOWN, canary.sibling)
        attempt("F_SETOWN", by_pipe)
        attempt("killpg", lambda: os.killpg(os.getpgid(canary.sibling), signal.SIGKILL))
        """,
    ),
    Attack(
        "tracing",
        """
        attempt("attach", lambda: syscall("ptrace", 16, canary.sibling, 0, 0))
        attempt("seize", lambda: syscall("ptrace", 0x4206, canary.sibling, 0, 0))
        attempt("traceme", lambda: syscall("ptrace", 0, 0, 0, 0))
        attempt("the parent", lambda: syscall("ptrace", 16, os.getppid(), 0, 0))
        """,
        without="seccomp",
    ),
    Attack(
        "another process's memory and descriptors",
        """
        room = ctypes.create_string_buffer(4096)
        def vector(at): return (ctypes.c_uint64 * 2)(at, 4096)
        for pid in (canary.sibling, os.getppid()):
            attempt("readv", lambda: syscall("process_vm_readv", pid, vector(ctypes.addressof(room)), 1, vector(id(os) & ~4095), 1, 0))
            attempt("writev", lambda: syscall("process_vm_writev", pid, vector(ctypes.addressof(room)), 1, vector(id(os) & ~4095), 1, 0))
            attempt("getfd", lambda: syscall("pidfd_getfd", os.pidfd_open(pid), 1, 0))
            attempt("kcmp", lambda: syscall("kcmp", os.getpid(), pid, 1, 0, 0))
        """,
    ),
    Attack(
        "slowing another process down",
        """
        attempt("nice", lambda: os.setpriority(os.PRIO_PROCESS, canary.sibling, 19))
        attempt("all of the user's", lambda: os.setpriority(os.PRIO_USER, canary.user, 19))
        attempt("affinity", lambda: os.sched_setaffinity(canary.sibling, {0}))
        attempt("prlimit", lambda: resource.prlimit(canary.sibling, resource.RLIMIT_CPU, (1, 1)))
        attempt("ioprio", lambda: syscall("ioprio_set", 1, canary.sibling, 3 << 13))
        """,
        without="seccomp",
    ),
    Attack(
        "another capture's files",
        """
        attempt("list", lambda: os.listdir(canary.neighbour))
        attempt("read", lambda: open(canary.neighbour + "/file").read())
        attempt("write", lambda: open(canary.neighbour + "/file", "w").write("x"))
        attempt("those beside mine", lambda: need(os.listdir(os.path.join(os.getcwd(), "..", ".."))))
        """,
        without="landlock",
    ),
    Attack(
        "poisoning installed packages",
        """
        import torch, graphcap
        for module in (torch, graphcap, json):
            attempt(module.__name__, lambda: open(module.__file__, "a").write("print('[OUT] poison')"))
            attempt("a new file", lambda: open(os.path.join(os.path.dirname(module.__file__), "poison.py"), "w"))
            attempt("a cache", lambda: open(os.path.join(os.path.dirname(module.__file__), "__pycache__/poison.pyc"), "w"))
        import site
        attempt("sitecustomize", lambda: open(site.getsitepackages()[0] + "/sitecustomize.py", "w"))
        """,
        then="import torch",
    ),
    Attack(
        "poisoning the process for the next capture",
        """
        import builtins, torch, random
        attempt("open", lambda: open("/poison", "w"))
        torch.sin = lambda x: "poison"; builtins.poison = 1; sys.modules["poison"] = sys; os.environ["POISON"] = "1"
        torch.manual_seed(666); random.seed(666); sys.path.insert(0, "/poison"); torch.set_default_dtype(torch.float64)
        torch._dynamo.config.suppress_errors = True; signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        library = torch.library.Library("poisonous", "DEF"); library.define("op(Tensor x) -> Tensor")
        """,
        then="""
        import builtins, torch
        left = [hasattr(builtins, "poison"), "poison" in sys.modules, "POISON" in os.environ, "/poison" in sys.path,
                torch.get_default_dtype() != torch.float32, torch._dynamo.config.suppress_errors, hasattr(torch.ops.poisonous, "op"),
                isinstance(torch.sin(torch.ones(1)), str), torch.initial_seed() == 666, signal.getsignal(signal.SIGUSR1) == signal.SIG_IGN]
        attempt("see the poison", lambda: need([n for n, there in enumerate(left) if there]))
        """,
    ),
    Attack(
        "poisoning caches and folders for the next capture",
        """
        for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME", "TORCHINDUCTOR_CACHE_DIR"):
            open(os.path.join(os.environ[name], "poison"), "w").write("x")
        open("poison.py", "w").write("print('[OUT]')")
        attempt("open", lambda: open("/poison", "w"))
        """,
        then="""
        places = [os.environ[n] for n in ("HOME", "TMPDIR", "XDG_CACHE_HOME", "TORCHINDUCTOR_CACHE_DIR")] + [os.getcwd()]
        attempt("see the poison", lambda: need([p for p in places if "poison" in os.listdir(p) or "poison.py" in os.listdir(p)]))
        attempt("import it", lambda: __import__("poison"))
        """,
    ),
)
