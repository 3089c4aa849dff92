from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attacks.canaries import Planted, planted
from tests.attacks.listed import ATTACKS
from tests.attacks.served import ROOT, TIERS, Server, serving

SAVE = """import sys, torch
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.line = torch.nn.Linear(4, 4)
    def forward(self, x):
        return self.line(x).sin()
shapes = ({0: torch.export.Dim("n")},)
torch.export.save(torch.export.export(M(), (torch.ones(2, 4),), dynamic_shapes=shapes), sys.argv[1])
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leaves out the attacks that belong to the other tier."""
    items[:] = [item for item in items if not _elsewhere(item)]


def _elsewhere(item: pytest.Item) -> bool:
    given = getattr(item, "callspec", None)
    if given is None or not {"name", "tier"} <= set(given.params):
        return False
    return given.params["tier"] not in ATTACKS[given.params["name"]].tiers


@pytest.fixture(scope="session", params=TIERS)
def tier(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def canaries() -> Iterator[Planted]:
    with planted() as found:
        yield found


@pytest.fixture(scope="session")
def server(tier: str, canaries: Planted, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for all attacks of a tier."""
    with serving(tier, tmp_path_factory.mktemp(tier), canaries.secret) as found:
        found.assert_sound(found.sound())
        yield found


@pytest.fixture(scope="session")
def pt2(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A sound archive."""
    path: Path = tmp_path_factory.mktemp("pt2") / "m.pt2"
    subprocess.run([sys.executable, "-c", SAVE, str(path)], cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
    return path.read_bytes()
