"""Memory, wherever it may hide: a readable error, or an end; never the machine's."""

from __future__ import annotations

from tests.attacks.attack import CPU, CRASHED, KILLED, MEMORY, NOTHING, TIMEOUT, Attack, hard

ATTACKS = (
    Attack("a huge tensor", "import torch\nattempt('400 GB', lambda: torch.ones(10**11))"),
    Attack(
        "a slow creep",
        """
        held = []
        def creep():
            for _ in range(4096): held.append(bytearray(b"x" * (1 << 20)))
        attempt("4 GiB", creep)
        held.clear()
        """,
    ),
    Attack(
        "many tensors, every page touched",
        """
        import torch
        def fill(): return [torch.ones(1 << 20) for _ in range(512)]
        attempt("2 GiB", lambda: len(fill()))
        """,
    ),
    Attack("one large mapping", "attempt('8 GiB', lambda: mmap.mmap(-1, 8 << 30))"),
    Attack("a large number", "attempt('a number', lambda: (1 << (1 << 36)).bit_length())"),
    Attack("a large text", "attempt('a text', lambda: len('x' * 10**12))"),
    hard(
        "shared mappings of many processes",
        """
        for _ in range(20):
            if os.fork() == 0:
                held = mmap.mmap(-1, 100 << 20)
                for page in range(0, len(held), 4096): held[page] = 1
                time.sleep(1); os._exit(0)
        for _ in range(20): os.wait()
        """,
        *(NOTHING, MEMORY, KILLED, TIMEOUT, CPU),
    ),
    Attack(
        "memory files, which no limit of the process counts",
        """
        attempt("memfd", lambda: os.memfd_create("hidden"))
        attempt("memfd_secret", lambda: syscall("memfd_secret", 0))
        """,
        without="seccomp",
    ),
    Attack(
        "shared memory of System V", "attempt('shmget', lambda: syscall('shmget', 0, 64 << 20, 0o1600))", without="seccomp"
    ),
    Attack(
        "message queues and semaphores",
        """
        attempt("msgget", lambda: syscall("msgget", 0, 0o1600))
        attempt("semget", lambda: syscall("semget", 0, 8, 0o1600))
        attempt("mq_open", lambda: syscall("mq_open", b"graphcap-attack", 0o100 | 2, 0o600, 0))
        """,
        without="seccomp",
    ),
    Attack(
        "/dev/shm",
        """
        def hide():
            name = f"/dev/shm/graphcap-attack-{os.urandom(4).hex()}"
            open(name, "wb").close(); os.unlink(name)
        attempt("a file", hide)
        from multiprocessing import shared_memory
        attempt("shared_memory", lambda: shared_memory.SharedMemory(create=True, size=1 << 20).unlink())
        """,
        without="landlock",
    ),
    Attack(
        "buffers of pipes",
        """
        def grow():
            reading, writing = os.pipe()
            fcntl.fcntl(writing, 1031, 1 << 20)
        attempt("a larger buffer", grow)
        held = []
        attempt("1000 pipes", lambda: [held.extend(os.pipe()) for _ in range(1000)])
        for number in held: os.close(number)
        """,
        without="seccomp",
    ),
    Attack("pinned memory", "attempt('mlockall', lambda: syscall('mlockall', 3))"),
    hard(
        "recursion without end",
        "sys.setrecursionlimit(10**9)\ndef f(): f()\nthreading.stack_size(1 << 20)\nf()",
        *(CRASHED, "MemoryError", "RecursionError", TIMEOUT, KILLED),
    ),
    hard(
        "recursion in native code",
        "a = []\nfor _ in range(10**6): a = [a]\nrepr(a) if sys.setrecursionlimit(10**9) is None else 0",
        *(CRASHED, "MemoryError", "RecursionError", NOTHING, TIMEOUT),  # a stack without a limit fills all memory first
    ),
)
