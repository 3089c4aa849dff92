"""Every attack of the list in both tiers: it ends as it must, gets nothing, and a normal capture works after it."""

from __future__ import annotations

import dataclasses
import os
import re
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from graphcap.errors import UserError
from graphcap.sandbox.jail.policy import JOB_ID
from tests.attacks.attack import Attack
from tests.attacks.canaries import Planted
from tests.attacks.listed import ATTACKS
from tests.attacks.served import Ended, Server, below

pytestmark = pytest.mark.torch

MEMORY_GROWTH = 48 << 20  # of the server, over the whole list: the store's caches, and arenas of six threads
DATABASE_FILES = 3  # of one thread: the database, its log, and the memory they share
BURN_AT_ONCE = 2
STILL_SECONDS = 1.0  # in which nothing changes any more once all is settled
MOST_SECONDS = 300  # only so that a failure does not hang
OURS = ("internal", "sandbox-error", "supervisor-lost", "interrupted")
"""Ends that would be faults of ours; an attack names them where its own process is all that it breaks."""


@dataclasses.dataclass
class Held:
    """What the server holds: compared before and after."""

    processes: list[int]
    descriptors: dict[int, Counter[str]]  # of the server and the zygote: what they lead to, but for the database's files
    database: int  # those: SQLite opens them when a thread first needs them
    mounts: str
    folders: list[str]
    resident: int

    @classmethod
    def by(cls, server: Server) -> Held:
        opened = {pid: _opened(pid) for pid in (server.process.pid, server.zygote)}
        database = [name for names in opened.values() for name in names if "/graphcap.sqlite3" in name]
        return cls(
            processes=[server.zygote, *(pid for pid in server.below() if pid != server.zygote)],
            descriptors={
                pid: Counter(_kind(name) for name in names if name not in database) for pid, names in opened.items()
            },
            database=len(database),
            mounts=Path("/proc/self/mountinfo").read_text(),
            folders=_left_behind(server),
            resident=_resident(server.process.pid),
        )


def settled(server: Server) -> Held:
    """What the server holds once the zygote has the process ready that waits for the next capture."""
    deadline, before = time.monotonic() + MOST_SECONDS, None
    while True:
        with suppress(FileNotFoundError):  # something goes just now
            held = Held.by(server)
            waits = any(below(pid) for pid in below(server.zygote))
            if waits and before == dataclasses.replace(held, resident=0):
                return held
            before = dataclasses.replace(held, resident=0)
        assert time.monotonic() < deadline, f"it never comes to rest: {before}"
        time.sleep(STILL_SECONDS)


def _opened(pid: int) -> list[str]:
    """What its descriptors lead to."""
    names = []
    for entry in os.listdir(f"/proc/{pid}/fd"):
        with suppress(FileNotFoundError):  # closed meanwhile
            names.append(os.readlink(f"/proc/{pid}/fd/{entry}"))
    return names


def _kind(name: str) -> str:
    """`socket:[]` of `socket:[4711]`."""
    return re.sub(r"\d+", "", name)


def _resident(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _left_behind(server: Server) -> list[str]:
    """What jobs could have made: below the server's folder, in folders for temporary files, and files of the jobs' user."""
    work = sorted(str(path) for path in (server.settings.data_dir / "work").rglob("*"))
    for folder in ("/tmp", "/var/tmp", "/dev/shm"):
        for entry in os.scandir(folder):
            with suppress(FileNotFoundError):  # other programs' files come and go there
                work += _of_jobs(entry)
    return [path for path in work if "/home" not in path]


def _of_jobs(entry: os.DirEntry[str]) -> list[str]:
    """A folder of the jobs' user, and what is in it."""
    if entry.stat(follow_symlinks=False).st_uid != JOB_ID or not entry.is_dir(follow_symlinks=False):
        return []
    return [entry.path, *(f"{entry.path}/{name}" for name in os.listdir(entry.path))]


HELD: dict[str, Held] = {}


@pytest.fixture(autouse=True)
def held_before(server: Server, tier: str) -> None:
    """What the server held before its first attack, warm and having captured."""
    if tier not in HELD:
        for id in [server.sound() for _ in range(server.settings.slots)]:  # every thread and connection there will be
            server.assert_sound(id)
        HELD[tier] = settled(server)


@pytest.fixture(scope="session")
def known(server: Server, canaries: Planted) -> dict[str, object]:
    """What attackers know."""
    more = {"server": server.process.pid, "zygote": server.zygote, "data": str(server.settings.data_dir)}
    return {**canaries.for_attacks, **more, "user": JOB_ID if os.geteuid() == 0 else os.geteuid()}


@pytest.fixture(scope="session")
def slow_ones(server: Server, known: dict[str, object]) -> dict[str, Ended]:
    """Those that end at a limit of time: all that wait at once, those that burn a few at a time."""

    def submitted(names: list[str]) -> dict[str, str]:
        return {name: server.paste(ATTACKS[name].source(known)) for name in names}

    waiting = submitted([name for name, attack in ATTACKS.items() if attack.slow == "waits"])
    burning = [name for name, attack in ATTACKS.items() if attack.slow == "burns"]
    ended = {}
    for first in range(0, len(burning), BURN_AT_ONCE):
        ids = submitted(burning[first : first + BURN_AT_ONCE])
        ended |= {name: server.ended(id) for name, id in ids.items()}
    return ended | {name: server.ended(id) for name, id in waiting.items()}


@pytest.mark.parametrize("name", ATTACKS)
def test_attack(
    name: str,
    tier: str,
    server: Server,
    canaries: Planted,
    known: dict[str, object],
    pt2: bytes,
    request: pytest.FixtureRequest,
) -> None:
    attack = ATTACKS[name]
    if attack.slow:
        ended = request.getfixturevalue("slow_ones")[name]
    elif attack.upload is not None:
        ended = uploaded(attack, server, pt2)
    else:
        ended = server.ended(server.paste(attack.source(known)))
    sound = server.sound()
    if ended is not None:
        judge(attack, ended, canaries)
    if attack.then:
        later = server.ended(server.paste(attack.source(known, attack.then)))
        assert "[OUT]" not in later.log and "[tried]" in later.log, later.log
    server.assert_sound(sound)
    assert canaries.harm() == []
    held = HELD.pop(tier)  # taken anew for the next if this one is to blame
    assert len(server.quiet(len(held.processes))) <= len(held.processes), "a process was left behind"
    assert server.zygote == held.processes[0], "the zygote was lost"
    HELD[tier] = held


def uploaded(attack: Attack, server: Server, sound: bytes) -> Ended | None:
    """None: it was turned away at the door, as it must be."""
    assert attack.upload is not None
    try:
        id = server.upload(attack.upload(sound))
    except UserError as error:
        assert error.code == attack.refused, error
        return None
    assert not attack.refused, "it was let in"
    return server.ended(id)


def judge(attack: Attack, ended: Ended, canaries: Planted) -> None:
    """Nothing got out, and it ended as it must."""
    told = f"{ended.ending}: {ended.summary.failures} {ended.summary.targets}\n{ended.log[:4000]}"
    assert "[OUT]" not in ended.log, told
    assert canaries.secret not in ended.log + repr(ended.summary), told
    if attack.upload is None:
        assert "[began]" in ended.log, told
    if attack.tries:
        assert "[tried]" in ended.log and "[stopped]" in ended.log, told
    assert attack.log in ended.log, told
    assert ended.ending in attack.ends or (attack.ends == ("any",) and ended.ending not in OURS[1:]), told


def test_nothing_is_left_behind(server: Server, tier: str) -> None:
    """Comes after the list."""
    before = HELD[tier]
    server.quiet(len(before.processes))
    after = settled(server)
    assert len(after.processes) == len(before.processes)
    assert after.descriptors == before.descriptors
    assert after.database - before.database <= DATABASE_FILES * server.settings.slots
    assert after.mounts == before.mounts
    assert after.folders == before.folders
    assert after.resident - before.resident < MEMORY_GROWTH
