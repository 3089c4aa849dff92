"""What lies below a folder is counted: its bytes on disk, its files and folders; what can not be looked into is too much."""

from __future__ import annotations

import os
from pathlib import Path

from graphcap.sandbox.zygote.watching.written import beyond

PLENTY = 1 << 30


def test_bytes_of_all_files_count_together(tmp_path: Path) -> None:
    for name in ("a", "b/c", "b/d"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x" * (1 << 20))
    assert not beyond(tmp_path, 4 << 20, 100)
    assert beyond(tmp_path, 2 << 20, 100)


def test_files_and_folders_count(tmp_path: Path) -> None:
    for number in range(10):
        (tmp_path / f"folder{number}").mkdir()
        (tmp_path / f"folder{number}" / "file").touch()
    assert not beyond(tmp_path, PLENTY, 20)
    assert beyond(tmp_path, PLENTY, 19)


def test_a_sparse_file_counts_as_what_it_takes_and_a_link_is_not_followed(tmp_path: Path) -> None:
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    os.symlink("/", tmp_path / "link")
    assert not beyond(tmp_path, 1 << 20, 10)


def test_a_folder_deeper_than_a_path_may_be_is_too_much(tmp_path: Path) -> None:
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("d" * 255, dir_fd=here)
        inner = os.open("d" * 255, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    assert beyond(tmp_path, PLENTY, 1000)


def test_a_folder_that_is_gone_is_nothing(tmp_path: Path) -> None:
    assert not beyond(tmp_path / "never", 0, 0)
