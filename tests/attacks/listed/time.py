"""Not ending: every one is ended by the server, at its limit, whatever it holds or ignores."""

from __future__ import annotations

from tests.attacks.attack import CPU, KILLED, NOTHING, TIMEOUT, burns, hard, in_forward, waits

ATTACKS = (
    burns("an endless loop", "while True: pass"),
    burns("an endless loop in C, holding the GIL", "max(itertools.repeat(1))"),
    burns(
        "an endless loop in native code of torch",
        "torch = __import__('torch'); exec(LOOP)".replace(
            "LOOP", "'''import torch\\nwhile True: torch.ones(500, 500) @ torch.ones(500, 500)'''"
        ),
    ),
    waits("a sleep", "time.sleep(1e6)"),
    waits(
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
    waits("stopping itself", "os.kill(os.getpid(), signal.SIGSTOP)"),
    waits("stopping the process that watches over it", "os.kill(os.getppid(), signal.SIGSTOP); time.sleep(1e6)", TIMEOUT),
    waits(
        "killing the process that watches over it, and hanging",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); os.kill(os.getppid(), signal.SIGKILL); time.sleep(1e6)",
        *(TIMEOUT, KILLED),
    ),
    burns("hanging in forward while it is traced", in_forward("while True: pass")),
    waits("sleeping in forward while it is traced", in_forward("time.sleep(1e6)")),
    burns("a regular expression without end", "import re; re.match('(a+)+$', 'a' * 60 + 'b')"),
    waits("a deadlock of its own", "lock = threading.Lock(); lock.acquire(); lock.acquire()"),
    burns(
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
    waits("a letter at a time for ever", "while True: os.write(1, b'x'); time.sleep(0.001)"),
    hard(
        "a hanging destructor",
        "class A:\n    def __del__(self): time.sleep(1e6)\nkeep = A()\nkeep.cycle = keep",
        NOTHING,
        TIMEOUT,
    ),
    hard("a hanging atexit", "import atexit; atexit.register(time.sleep, 1e6)", NOTHING, TIMEOUT),
    hard("a thread that never ends", "threading.Thread(target=time.sleep, args=(1e6,)).start()", NOTHING, TIMEOUT),
)
