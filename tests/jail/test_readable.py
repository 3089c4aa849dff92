"""Which files a job may read."""

from __future__ import annotations

import site
import sys
from pathlib import Path

import pytest

from graphcap.sandbox.jail.readable import DEVICES, outermost, python_paths

ROOT = Path(__file__).resolve().parents[2]


def test_what_lies_below_another_is_left_out() -> None:
    assert outermost(["/usr/lib", "/usr/lib/x", "/usr/lib64", "/usr/library/y", "/usr/lib/", "/a/b"]) == (
        "/a/b",
        "/usr/lib",
        "/usr/lib64",
        "/usr/library/y",
    )


def test_python_and_this_package_are_there_and_the_project_is_not() -> None:
    paths = python_paths()

    def covered(path: str) -> bool:
        return any(f"{path}/".startswith(f"{one}/") for one in paths)

    assert all(covered(path) for path in DEVICES)
    assert covered(str(ROOT / "graphcap"))
    assert any(covered(path) for path in sys.path if path.endswith("site-packages"))
    assert covered(sys.modules["os"].__file__ or "")
    for closed in (
        str(ROOT),
        str(ROOT / "tests"),
        "/etc",
        "/home",
        "/root",
        "/proc",
        "/usr/bin",
        "/",
        sys.prefix,
        sys.base_prefix,
    ):
        assert not covered(closed), closed


def test_packages_installed_for_the_user_are_there_where_python_looks_for_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(site, "getusersitepackages", lambda: str(tmp_path))
    assert str(tmp_path) not in python_paths()
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path), str(ROOT)])
    assert str(tmp_path) in python_paths() and str(ROOT) not in python_paths()
