"""Files: a small private place, gone with the capture, and nothing else."""

from __future__ import annotations

from tests.attacks.attack import FILES, Attack, hard

ATTACKS = (
    Attack(
        "one large file",
        """
        def fill():
            with open("large", "wb") as file:
                for _ in range(64): file.write(bytes(1 << 20))
        attempt("64 MiB", fill)
        """,
    ),
    Attack(
        "many files",
        """
        def fill():
            for number in range(64):
                with open(f"file{number}", "wb") as file: file.write(bytes(1 << 20))
        attempt("64 files of 1 MiB", fill)
        """,
        tiers=("namespaces",),
    ),
    Attack(
        "every inode",
        "attempt('5000 files', lambda: [open(f'file{n}', 'w').close() for n in range(5000)])",
        tiers=("namespaces",),
    ),
    hard(
        "many files, in a folder that has no end",
        """
        for number in range(64):
            with open(f"file{number}", "wb") as file: file.write(bytes(1 << 20))
        time.sleep(60)
        """,
        FILES,
        tiers=("landlock",),
    ),
    hard(
        "inodes, in a folder that has no end",
        "for number in range(5000): open(f'file{number}', 'w').close()\ntime.sleep(60)",
        FILES,
        tiers=("landlock",),
    ),
    hard(
        "files where nobody looks",
        """
        for _ in range(20): os.mkdir("d" * 255); os.chdir("d" * 255)  # deeper than a path may be long
        for number in range(64):
            with open(f"file{number}", "wb") as file: file.write(bytes(1 << 20))
        time.sleep(60)
        """,
        FILES,
        tiers=("landlock",),
    ),
    Attack(
        "a sparse file",
        """
        file = open("sparse", "wb")
        attempt("truncate to 1 TiB", lambda: file.truncate(1 << 40))
        attempt("fallocate", lambda: os.posix_fallocate(file.fileno(), 0, 1 << 40))
        def beyond():
            os.lseek(file.fileno(), 1 << 40, 0); os.write(file.fileno(), b"x")
        attempt("writing far beyond the end", beyond)
        """,
    ),
    Attack(
        "a very deep folder",
        "for _ in range(200):\n    os.mkdir('d'); os.chdir('d')\nattempt('open', lambda: open('/deep', 'w'))",
    ),
    Attack(
        "folders that resist their removal",
        """
        os.makedirs("closed/inner"); open("closed/inner/file", "w").close()
        for path in ("closed/inner", "closed"):
            try: os.chmod(path, 0)
            except OSError: pass
        attempt("open", lambda: open("/file", "w"))
        """,
    ),
    Attack(
        "links for the server to follow when it cleans up",
        """
        os.symlink(canary.folder, "link"); os.symlink(canary.writable, "link2"); os.symlink("..", "up")
        attempt("through a link", lambda: open("link/secret").read())
        attempt("writing through a link", lambda: open("link2", "w"))
        attempt("a hard link", lambda: os.link(canary.secret_file, "hard"))
        """,
        without="landlock",
    ),
    Attack(
        "writing a file of the server's",
        "attempt('write', lambda: open(canary.writable, 'w').write('x'))",
        without="landlock",
    ),
    Attack(
        "emptying it without opening it", "attempt('truncate', lambda: os.truncate(canary.writable, 0))", without="landlock"
    ),
    Attack(
        "its permissions and times",
        """
        attempt("chmod", lambda: os.chmod(canary.writable, 0o600))
        attempt("chmod of a folder", lambda: os.chmod(canary.open_folder, 0o700))
        attempt("utime", lambda: os.utime(canary.writable, (1, 1)))
        attempt("chown", lambda: os.chown(canary.writable, os.getuid(), os.getgid()))
        attempt("an attribute", lambda: os.setxattr(canary.writable, "user.x", b"x"))
        """,
        without="seccomp",
    ),
    Attack(
        "making, moving and removing files outside",
        """
        attempt("make", lambda: open(canary.open_folder + "/made", "w"))
        attempt("mkdir", lambda: os.mkdir(canary.open_folder + "/folder"))
        attempt("symlink", lambda: os.symlink("/", canary.open_folder + "/link"))
        attempt("rename", lambda: os.rename(canary.neighbour, canary.open_folder + "/moved"))
        attempt("remove", lambda: os.unlink(canary.neighbour + "/file"))
        for folder in ("/", "/tmp", "/var/tmp", "/dev/shm", "/root", "/run", sys.prefix, os.path.expanduser("~root")):
            attempt(f"make in {folder}", lambda: open(folder + "/graphcap-attack", "w"))
        """,
    ),
    Attack(
        "pipes and devices among its files",
        """
        attempt("mkfifo", lambda: os.mkfifo("fifo"))
        attempt("a device", lambda: os.mknod("null", 0o20666, os.makedev(1, 3)))
        attempt("a socket", lambda: socket.socket(socket.AF_UNIX).bind("socket"))
        """,
    ),
)
