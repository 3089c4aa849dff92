"""The doors of the jail, in the order they are passed: zygote, supervisor, job. Each is one way."""

from __future__ import annotations

import dataclasses

from graphcap.sandbox.jail.policy import Policy, Tier


@dataclasses.dataclass(frozen=True)
class Prepared:
    """A zygote that is ready to fork supervisors. Descriptors are close-on-exec and high; a job never has them."""

    tier: Tier
    proc_fd: int
    """The server's /proc (O_PATH folder): the only way to it after the root has changed. `os.open("self/status", ..., dir_fd=)`."""
    address_space_bytes: int  # of the zygote when it was prepared
    user: int  # the id its jobs run under, as the kernel counts it
    reaper: int  # pid of the first process of the zygote's pid namespace, 0 without one; see prepare_zygote


def prepare_zygote(tier: Tier, policy: Policy) -> Prepared:
    """Moves the calling process, which must have one thread, to where its supervisors may start. OSError if the kernel refuses.

    Tier "namespaces": new user, mount, pid, network, ipc, uts and cgroup namespaces, and a minimal read-only root holding
    `policy.readable` at its usual paths. Started as root, it takes `policy.job_id` first. One child is forked: the first
    process of the pid namespace; it dies with the zygote, and everything forked from the zygote afterwards dies with it.
    Do not wait for it by mistake (`Prepared.reaper`; it ends with the zygote).
    Tier "landlock": started as root, takes `policy.job_id`. Tier "none": nothing.
    Read what you need of the file system before: afterwards only `policy.readable` is there.
    """
    raise NotImplementedError


def enter_supervisor(prepared: Prepared, policy: Policy) -> None:
    """In the supervisor of one job, before it forks the job: the job's own namespaces and its tmpfs at `policy.work`.

    The caller itself stays in the pid namespace of the zygote: only what it forks next (`forks.fork_job`) is inside.
    Descriptors it holds stay open. OSError if the kernel refuses.
    """
    raise NotImplementedError


def confine_job(prepared: Prepared, policy: Policy) -> None:
    """In the job, last thing before a stranger's code: rlimits, no capabilities, undumpable, no_new_privs, Landlock, seccomp.

    Everything it forks later inherits all of it. OSError if a layer of the tier fails: then leave with os._exit.
    The caller must have one thread, no descriptor but the job's own, and (tier 1) changes its folder to `policy.work` itself.
    """
    raise NotImplementedError


def forbid_fork() -> None:
    """In a process that `confine_job` with `allow_fork` confined: from now on it starts threads only. One way."""
    raise NotImplementedError
