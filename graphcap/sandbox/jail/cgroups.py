"""Memory and process limits that the kernel keeps for a whole job, where a cgroup (v1 or v2) may be made."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Group:
    """The cgroup of one job."""

    def join(self) -> None:
        """Moves the calling process into it; whatever it forks is born there."""
        raise NotImplementedError

    def peak_bytes(self) -> int | None:
        """The most memory it held at once; None where the kernel does not say."""
        raise NotImplementedError

    def out_of_memory(self) -> bool:
        """Whether the kernel killed in it because of its memory limit."""
        raise NotImplementedError

    def close(self) -> None:
        """Removes it; its processes must have ended."""
        raise NotImplementedError


@dataclasses.dataclass(frozen=True)
class Pool:
    """A cgroup of ours below the one we run in, the parent of the jobs' groups. Holds descriptors, so that it outlives a change of root and of id."""

    def group(self, name: str, memory_bytes: int, processes: int) -> Group:
        """A new one for a job. OSError if the kernel refuses."""
        raise NotImplementedError

    def close(self) -> None:
        """Closes the descriptors; `remove_pool` of the server removes the folder."""
        raise NotImplementedError


def open_pool(name: str, owner: int, memory_bytes: int, processes: int) -> Pool | None:
    """Makes `name` below the cgroup of this process, for the user `owner`; None where none can be made. Before prepare_zygote."""
    raise NotImplementedError


def remove_pool(name: str) -> None:
    """Removes what open_pool made, once its processes have ended; nothing if it is not there."""
    raise NotImplementedError
