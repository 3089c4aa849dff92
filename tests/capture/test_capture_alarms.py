"""Alarms that end code: not while a library is imported, and once more when the first was lost."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from graphcap.capture.alarms import importing
from graphcap.capture.replay.budget import OutOfTime, limited

PROBE = """
import sys
from graphcap.capture.alarms import importing
class Probe:
    def __init_subclass__(cls):
        cls.told = importing(sys._getframe()), importing(sys._getframe(), {__file__})
class Told(Probe):
    pass
"""


def test_a_library_that_is_being_imported_is_seen_and_the_persons_own_file_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "alarm_probe.py").write_text(PROBE)
    monkeypatch.syspath_prepend(tmp_path)
    assert importlib.import_module("alarm_probe").Told.told == (True, False)
    assert not importing(sys._getframe(), {__file__})


def test_work_over_its_time_ends_though_the_first_end_was_lost() -> None:
    lost = []
    with pytest.raises(OutOfTime), limited(0.05):
        while True:
            try:
                sum(range(1000))
            except OutOfTime as error:
                if lost:
                    raise
                lost.append(error)
    assert len(lost) == 1
