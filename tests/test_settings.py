from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from graphcap.settings import Settings, from_environment

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs" / "settings.md"


def test_every_setting_stands_in_the_docs_with_its_default_and_reason() -> None:
    rows = {
        line.split("|")[1].strip().strip("`"): line
        for line in DOCS.read_text(encoding="utf-8").splitlines()
        if "`GRAPHCAP_" in line
    }
    assert set(rows) == {f"GRAPHCAP_{f.name.upper()}" for f in dataclasses.fields(Settings)}
    for field in dataclasses.fields(Settings):
        row = rows[f"GRAPHCAP_{field.name.upper()}"]
        default = int(field.default) if isinstance(field.default, bool) else field.default
        assert f"| {default} |" in row.replace("``", "") and field.metadata["why"] in row, row


@pytest.mark.parametrize("path", ["README.md", "docs/deploy.md", "docs/api.md", "Makefile"])
def test_settings_named_elsewhere_exist(path: str) -> None:
    named = set(re.findall(r"GRAPHCAP_[A-Z_]+[A-Z]", (ROOT / path).read_text(encoding="utf-8")))
    assert named <= {f"GRAPHCAP_{f.name.upper()}" for f in dataclasses.fields(Settings)}


def test_values_come_from_the_environment() -> None:
    got = from_environment({"GRAPHCAP_SLOTS": "3", "GRAPHCAP_DATA_DIR": "/data", "HOME": "/root"})
    assert got.slots == 3
    assert got.data_dir == Path("/data")
    assert got.sqlalchemy_url == "sqlite:////data/graphcap.sqlite3"
    assert from_environment({"GRAPHCAP_DATABASE_URL": "postgresql://db/x"}).sqlalchemy_url == "postgresql://db/x"


@pytest.mark.parametrize("text", ["", "0", "-1", "many", "1.5"])
def test_a_number_that_is_none_is_refused_by_name(text: str) -> None:
    with pytest.raises(ValueError, match="GRAPHCAP_SLOTS"):
        from_environment({"GRAPHCAP_SLOTS": text})


def test_a_misspelt_setting_is_refused_and_the_names_are_given() -> None:
    with pytest.raises(ValueError, match="GRAPHCAP_SLOT is no setting.*GRAPHCAP_SLOTS"):
        from_environment({"GRAPHCAP_SLOT": "3"})


@pytest.mark.parametrize(("text", "value"), [("1", True), ("0", False)])
def test_a_switch_is_1_or_0(text: str, value: bool) -> None:
    assert from_environment({"GRAPHCAP_UNSAFE_NO_JAIL": text}).unsafe_no_jail is value


@pytest.mark.parametrize("text", ["", "yes", "true", "2"])
def test_a_switch_that_is_neither_is_refused_by_name(text: str) -> None:
    with pytest.raises(ValueError, match="GRAPHCAP_UNSAFE_NO_JAIL"):
        from_environment({"GRAPHCAP_UNSAFE_NO_JAIL": text})


def test_a_number_that_may_be_0() -> None:
    assert from_environment({"GRAPHCAP_TRUSTED_PROXIES": "0"}).trusted_proxies == 0
    with pytest.raises(ValueError, match="at least 0"):
        from_environment({"GRAPHCAP_TRUSTED_PROXIES": "-1"})
