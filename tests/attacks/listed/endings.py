"""Ends of every kind, and code that makes its own end hard to tell."""

from __future__ import annotations

from tests.attacks.attack import CRASHED, EXITED, NOTHING, TIMEOUT, Attack, hard, in_forward

ATTACKS = (
    hard("a segmentation fault", "ctypes.string_at(0)", CRASHED),
    hard("an abort", "os.abort()", CRASHED),
    hard("an illegal instruction", "os.kill(os.getpid(), signal.SIGILL)", CRASHED),
    hard("an arithmetic fault", "os.kill(os.getpid(), signal.SIGFPE)", CRASHED),
    hard("a kill of itself", "os.kill(os.getpid(), signal.SIGKILL)", CRASHED),
    hard("writing over its own memory", "ctypes.memset(id(os), 0xff, 1 << 24)", CRASHED),
    hard("native code beyond a tensor", "import torch\nx = torch.ones(1)\nctypes.memset(x.data_ptr(), 1, 1 << 34)", CRASHED),
    hard("os._exit with 0", "os._exit(0)", EXITED),
    hard("os._exit with 77", "os._exit(77)", EXITED),
    hard("the exit code that means something to the capture process", "os._exit(71)", EXITED),
    hard("the exit code of a fault of ours", "os._exit(70)", EXITED, "internal"),
    hard("exit by a system call", "libc._exit(0)", EXITED),
    hard("SystemExit", "raise SystemExit(3)", "SystemExit", EXITED, NOTHING),
    hard("KeyboardInterrupt", "raise KeyboardInterrupt", "KeyboardInterrupt", EXITED, NOTHING),
    hard(
        "an exception that can not be shown",
        "class E(BaseException):\n    def __str__(self): raise self\n    __repr__ = __str__\nraise E()",
        "E",
        "internal",
        "model.E",
    ),
    hard(
        "an exception without end",
        "class E(Exception):\n    def __str__(self): return 'x' * 10**8\nraise E()",
        "E",
        "model.E",
        "MemoryError",
        NOTHING,
        "internal",
        TIMEOUT,
    ),
    hard("half a character in what it prints", "sys.stdout.write('\\ud800')", NOTHING, "UnicodeEncodeError"),
    hard("control characters in what it prints", "os.write(1, bytes(range(256)) * 4)", NOTHING),
    hard("streams taken away", "sys.stdout = sys.stderr = sys.stdin = None\ndel sys.excepthook", NOTHING),
    hard(
        "builtins taken away",
        "import builtins\nfor n in ('open', 'print', 'len', 'isinstance'): delattr(builtins, n)",
        *("any",),
    ),
    hard("modules taken away", "sys.modules.clear()", *("any",)),
    hard("its folder taken away", "import shutil\nshutil.rmtree(os.getcwd(), ignore_errors=True)", *("any",)),
    hard("its home taken away", "import shutil\nshutil.rmtree(os.environ['HOME'], ignore_errors=True)", *("any",)),
    hard("os._exit in forward", in_forward("os._exit(0)"), EXITED),
    hard("a segmentation fault in forward", in_forward("ctypes.string_at(0)"), CRASHED),
    hard(
        "garbage collection that crashes",
        "class A:\n    def __del__(self): ctypes.string_at(0)\na = A(); a.a = a\ndel a",
        NOTHING,
        CRASHED,
    ),
    Attack("a source that is no Python", "attempt('compile', lambda: compile('def (', 'x', 'exec'))"),
    hard("a module that names itself torch", "sys.modules['torch'] = sys\nexample_args = ()", *("any",)),
    hard(
        "tracing the capture's own code",
        "sys.settrace(lambda *a: os._exit(5))\nsys.setprofile(lambda *a: os._exit(5))",
        EXITED,
        NOTHING,
    ),
)
