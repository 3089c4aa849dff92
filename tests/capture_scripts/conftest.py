from __future__ import annotations

import pytest
import torch

from tests.forking import prepare

torch.set_num_threads(1)  # a pool of threads does not survive the forks these tests are made of


@pytest.fixture(scope="session", autouse=True)
def prepared() -> None:
    """What every fork of these tests starts with."""
    prepare()
