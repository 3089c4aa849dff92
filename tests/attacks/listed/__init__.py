"""The list of attacks, by what is attacked."""

from __future__ import annotations

from tests.attacks.attack import Attack
from tests.attacks.listed import (
    archives,
    disk,
    endings,
    kernel,
    limits,
    memory,
    network,
    processes,
    results,
    secrets,
    siblings,
    time,
)

GROUPS = (time, processes, memory, disk, network, secrets, siblings, kernel, limits, results, archives, endings)

ATTACKS: dict[str, Attack] = {
    f"{group.__name__.rpartition('.')[2]}: {attack.name}": attack for group in GROUPS for attack in group.ATTACKS
}
