"""The whole job's memory and processes, where a cgroup can be made, and where that is looked for."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from graphcap.sandbox.jail.cgroup_places import places
from graphcap.sandbox.jail.cgroups import remove_pool
from graphcap.sandbox.workfolder import clear, name_start
from tests.jail.jailed import run

ROOT = Path(__file__).parents[2]

VERSION_1 = """9:name=systemd:/
8:pids:/
4:memory:/docker/abc
0::/
"""
MOUNTS_1 = """30 20 0:26 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
31 20 0:27 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids
32 20 0:28 / /sys/fs/cgroup/unified rw,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate
"""


def proc(folder: Path, groups: str, mounts: str) -> Path:
    (folder / "cgroup").write_text(groups)
    (folder / "mountinfo").write_text(mounts)
    return folder


def test_version_1_is_found_with_both_controllers(tmp_path: Path) -> None:
    first = places(proc(tmp_path, VERSION_1, MOUNTS_1))[0]
    assert first.version == 1
    assert {kind: str(path) for kind, path in first.folders.items()} == {
        "memory": "/sys/fs/cgroup/memory/docker/abc",
        "pids": "/sys/fs/cgroup/pids",
    }


def test_version_2_offers_the_own_group_and_the_one_above(tmp_path: Path) -> None:
    mounts = "32 20 0:28 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw\n"
    found = places(proc(tmp_path, "0::/system.slice/graphcap.service/main\n", mounts))
    assert [(place.version, str(place.folders["memory"])) for place in found] == [
        (2, "/sys/fs/cgroup/system.slice/graphcap.service/main"),
        (2, "/sys/fs/cgroup/system.slice/graphcap.service"),
    ]


def test_a_mount_of_part_of_the_hierarchy_is_understood(tmp_path: Path) -> None:
    mounts = "32 20 0:28 /kube/pod7 /sys/fs/cgroup ro,relatime - cgroup2 cgroup2 ro\n"
    found = places(proc(tmp_path, "0::/kube/pod7/app\n", mounts))
    assert str(found[0].folders["pids"]) == "/sys/fs/cgroup/app"


def test_nothing_is_found_without_mounts(tmp_path: Path) -> None:
    assert places(proc(tmp_path, VERSION_1, "")) == []


needs_cgroup = pytest.mark.skipif(
    not any(os.access(folder, os.W_OK) for place in places() for folder in place.folders.values()),
    reason="no cgroup can be made by this user here",
)

HOG = """
held = []
for _ in range(8):
    if os.fork() == 0:
        memory = os.memfd_create("m")
        for _ in range(40):
            os.write(memory, bytes(1 << 20))
        time.sleep(30)
        os._exit(0)
for _ in range(8):
    _, status = os.waitpid(-1, 0)
    print(status, flush=True)
"""


@needs_cgroup
@pytest.mark.parametrize("tier", ["namespaces", "landlock"])
def test_memory_of_all_processes_together_is_bounded(tier: str) -> None:
    """Eight processes hide 40 MiB each in a memfd, which no rlimit sees; the job may have 100 MiB."""
    name = f"graphcap-test-{uuid.uuid4().hex[:8]}"
    try:
        ended = run(HOG, tier=tier, cgroup=name, allow_fork=True, allow_memfd=True, memory_bytes=100 << 20)
    finally:
        remove_pool(name)
    assert ended.facts["pool"] == "True", "the pool could not be made"
    killed, peak = ended.facts["group"].split()
    assert killed == "True" and int(peak) <= 100 << 20
    assert not folders_of(name)


@needs_cgroup
def test_a_job_within_its_limit_is_left_alone() -> None:
    name = f"graphcap-test-{uuid.uuid4().hex[:8]}"
    try:
        ended = run("held = bytearray(30 << 20); print(len(held))", tier="namespaces", cgroup=name, memory_bytes=100 << 20)
    finally:
        remove_pool(name)
    killed, peak = ended.facts["group"].split()
    assert (ended.text, killed) == (str(30 << 20), "False") and int(peak) >= 30 << 20


@needs_cgroup
def test_processes_are_bounded_by_the_group_too() -> None:
    code = """
    try:
        for _ in range(100):
            if os.fork() == 0:
                time.sleep(30)
    except OSError as error: print(error.errno)
    """
    name = f"graphcap-test-{uuid.uuid4().hex[:8]}"
    try:
        ended = run(code, tier="namespaces", cgroup=name, allow_fork=True, processes=10, without=["rlimits"])
    finally:
        remove_pool(name)
    assert ended.text == "11"


LEFT = """
import os, sys
from graphcap.sandbox.jail.cgroups import open_pool
for name in sys.argv[1:]:
    open_pool(name, os.getuid(), 1 << 30, 10).group("job-1", 1 << 28, 10)
"""


@needs_cgroup
def test_what_a_killed_server_left_behind_goes_when_the_next_one_starts(tmp_path: Path) -> None:
    ours, others = (f"{name_start(tmp_path / each)}{uuid.uuid4().hex[:12]}" for each in ("ours", "others"))
    try:
        subprocess.run([sys.executable, "-c", LEFT, ours, others], cwd=ROOT, check=True)
        assert folders_of(ours) and folders_of(others)
        clear(tmp_path / "ours")
        assert folders_of(others) and not folders_of(ours)
    finally:
        remove_pool(others)
    assert not folders_of(others)


def folders_of(name: str) -> list[Path]:
    return [folder / name for place in places() for folder in place.folders.values() if (folder / name).exists()]
