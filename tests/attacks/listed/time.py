"""Not ending: every one is ended by the server, at its limit, whatever it holds or ignores."""

from __future__ import annotations

from tests.attacks.attack import CPU, KILLED, NOTHING, TIMEOUT, hard, in_forward, slow

ATTACKS = (
    slow("an endless loop", "while True: pass"),
    slow("an endless loop in C, holding the GIL", "max(itertools.repeat(1))"),
    slow(
        "an endless loop in native code of torch",
        "torch = __import__('torch'); exec(LOOP)".replace(
            "LOOP", "'''import torch\\nwhile True: torch.ones(500, 500) @ torch.ones(500, 500)'''"
        ),
    ),
    slow("a sleep", "time.sleep(1e6)"),
    slow(
        "ignoring every signal and exception",
        """
        for number in range(1, 65):
            try: signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError): pass
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
        while True:
            try:
                while True: time.sleep(0.01)
            except BaseException: pass
        """,
    ),
    slow("stopping itself", "os.kill(os.getpid(), signal.SIGSTOP)"),
    slow("stopping the process that watches over it", "os.kill(os.getppid(), signal.SIGSTOP); time.sleep(1e6)", TIMEOUT),
    slow(
        "killing the process that watches over it, and hanging",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); os.kill(os.getppid(), signal.SIGKILL); time.sleep(1e6)",
        *(TIMEOUT, KILLED),
    ),
    slow("hanging in forward while it is traced", in_forward("while True: pass")),
    slow("sleeping in forward while it is traced", in_forward("time.sleep(1e6)")),
    slow("a regular expression without end", "import re; re.match('(a+)+$', 'a' * 60 + 'b')"),
    slow("a deadlock of its own", "lock = threading.Lock(); lock.acquire(); lock.acquire()"),
    slow("a loop in a finally", "try:\n    1 / 0\nfinally:\n    while True: pass"),
    slow("a loop when its module is imported by itself", "exec('while True: pass')"),
    slow(
        "threads that burn every core",
        """
        import torch
        def burn():
            while True: torch.ones(300, 300) @ torch.ones(300, 300)
        for _ in range(4): threading.Thread(target=burn).start()
        burn()
        """,
        *(TIMEOUT, CPU),
    ),
    slow("a letter at a time for ever", "while True: os.write(1, b'x'); time.sleep(0.001)"),
    hard(
        "a hanging destructor",
        "class A:\n    def __del__(self): time.sleep(1e6)\nkeep = A()\nkeep.cycle = keep",
        NOTHING,
        TIMEOUT,
    ),
    hard("a hanging atexit", "import atexit; atexit.register(time.sleep, 1e6)", NOTHING, TIMEOUT),
    hard("a thread that never ends", "threading.Thread(target=time.sleep, args=(1e6,)).start()", NOTHING, TIMEOUT),
)
