"""Starting others: what a capture may start is little, and ends with it."""

# ruff: noqa: E501 - the code of an attack stands as it is sent
from __future__ import annotations

from tests.attacks.attack import (
    CPU,
    CRASHED,
    EXITED,
    KILLED,
    NOTHING,
    PROCESSES,
    TIMEOUT,
    Attack,
    burns,
    hard,
    in_forward,
)

ATTACKS = (
    burns(
        "a fork bomb",
        """
        while True:
            try: os.fork()
            except OSError: pass
        """,
        *(TIMEOUT, PROCESSES, CPU, NOTHING, KILLED, EXITED),
    ),
    hard(
        "a fork bomb that waits",
        """
        for _ in range(200):
            try:
                if os.fork() == 0: time.sleep(1e6)
            except OSError as error: last = error
        say(f"[stopped] {last}")
        """,
        *(NOTHING, PROCESSES),
    ),
    Attack(
        "a thread bomb",
        """
        threading.stack_size(1 << 18)
        attempt("200 threads", lambda: [threading.Thread(target=time.sleep, args=(1e6,), daemon=True).start() for _ in range(200)])
        """,
    ),
    hard(
        "an OpenMP bomb",
        "import torch; torch.set_num_threads(1000); say((torch.ones(3000, 3000) * 2).sum())",
        *(NOTHING, EXITED, CRASHED, TIMEOUT, CPU),
    ),
    hard(
        "a daemon that outlives it",
        """
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                signal.signal(signal.SIGHUP, signal.SIG_IGN)
                while True: time.sleep(0.05); os.write(1, b"[still here]")
            os._exit(0)
        """,
        NOTHING,
    ),
    hard(
        "a daemon without any of its descriptors",
        """
        if os.fork() == 0:
            os.setsid()
            os.closerange(0, 1024)
            if os.fork() == 0: time.sleep(1e6)
            os._exit(0)
        """,
        NOTHING,
    ),
    hard("children left as zombies", "for _ in range(20):\n    if os.fork() == 0: os._exit(0)", NOTHING),
    Attack("running a program in its place", "attempt('execv', lambda: os.execv('/bin/sh', ['sh', '-c', 'echo [OUT]']))"),
    Attack(
        "running a program of its own making",
        """
        path = os.path.join(os.environ["TMPDIR"], "program")
        open(path, "w").write("#!/bin/sh\\necho [OUT]\\n")
        try: os.chmod(path, 0o755)
        except OSError: pass
        attempt("execv", lambda: os.execv(path, [path]))
        attempt("the loader", lambda: os.execv("/lib64/ld-linux-x86-64.so.2", ["ld", "/bin/echo", "[OUT]"]))
        attempt("a module", lambda: subprocess.run([sys.executable, "-c", "print('[OUT]')"], check=True))
        """,
    ),
    Attack("subprocess", "attempt('subprocess', lambda: subprocess.run(['/bin/echo', '[OUT]'], check=True))"),
    Attack(
        "a shell",
        """
        attempt("system", lambda: need(os.system("echo [OUT]") == 0))
        attempt("popen", lambda: need(os.popen("echo out").read()))
        attempt("posix_spawn", lambda: os.posix_spawn("/bin/sh", ["sh", "-c", "echo [OUT]"], {}))
        attempt("libc system", lambda: need(libc.system(b"echo [OUT]") == 0))
        """,
    ),
    Attack("a pseudo terminal", "import pty\nattempt('openpty', pty.openpty)"),
    Attack(
        "worker processes of a DataLoader",
        """
        import torch
        data = torch.utils.data.DataLoader(list(range(8)), num_workers=2)
        attempt("DataLoader", lambda: torch.utils.data.dataloader._MultiProcessingDataLoaderIter(data))
        """,
    ),
    Attack(
        "a clone with flags of its own",
        """
        attempt("CLONE_PARENT", lambda: syscall("clone", 0x8000 | signal.SIGCHLD, 0, 0, 0, 0) or os._exit(0))
        attempt("CLONE_NEWUSER", lambda: syscall("clone", 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0) or os._exit(0))
        attempt("CLONE_UNTRACED", lambda: syscall("clone", 0x800000 | signal.SIGCHLD, 0, 0, 0, 0) or os._exit(0))
        attempt("clone3", lambda: syscall("clone3", ctypes.byref((ctypes.c_uint64 * 11)()), 88) or os._exit(0))
        """,
    ),
    hard(
        "a fork in forward",
        in_forward("attempt('fork', lambda: os.fork() or os._exit(0)); say('[tried]')"),
        "done",
        log="[stopped] fork",
    ),
)
