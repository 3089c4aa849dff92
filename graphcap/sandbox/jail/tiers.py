"""The doors of the jail, in the order they are passed: zygote, supervisor, job. Each is one way."""

from __future__ import annotations

import dataclasses
import fcntl
import os

from graphcap.sandbox.jail import syscalls
from graphcap.sandbox.jail.policy import Policy, Tier
from graphcap.sandbox.jail.seccomp import install
from graphcap.sandbox.jail.seccomp.rules import Need
from graphcap.sandbox.jail.walls import ids, landlock, namespaces, rlimits, root

HIGH_FD = 200  # above every number that a caller hands out
TASKS_BESIDE_THE_JOB = 2  # the supervisor and the first process of the pid namespace are in the job's user namespace too


@dataclasses.dataclass(frozen=True)
class Prepared:
    """A zygote that is ready to fork supervisors. Descriptors are close-on-exec and high; a job never has them."""

    tier: Tier
    proc_fd: int
    """The server's /proc, the only way to it after the root has changed: `os.open("self/status", ..., dir_fd=proc_fd)`."""
    address_space_bytes: int  # of the zygote when it was prepared
    user: int  # the id its jobs run under, as the kernel counts it
    reaper: int  # pid of the first process of the zygote's pid namespace, 0 without one; see prepare_zygote


def prepare_zygote(tier: Tier, policy: Policy) -> Prepared:
    """Moves the calling process, which must have one thread, to where its supervisors may start. OSError if refused.

    Tier "namespaces": new user, mount, pid, network, ipc, uts and cgroup namespaces, and a minimal read-only root holding
    `policy.readable` at its usual paths. Started as root, it takes `policy.job_id` first. One child is forked: the first
    process of the pid namespace; it dies with the zygote, and everything forked from the zygote afterwards dies with it.
    Do not wait for it by mistake (`Prepared.reaper`; it ends with the zygote). PR_SET_PDEATHSIG stays as it was.
    Tier "landlock": started as root, takes `policy.job_id`; where that id could not read Python, as root the minimal root
    is made nevertheless. Tier "none": nothing.
    Read what you need of the file system before: afterwards only `policy.readable` is there.
    """
    proc_fd = high(os.open("/proc", os.O_RDONLY | os.O_DIRECTORY))
    size = rlimits.address_space()
    was_root = os.geteuid() == 0 and "ids" not in policy.without
    reaper, death_signal = 0, syscalls.death_signal()
    if tier == "namespaces":
        reaper = _enter_namespaces(policy, proc_fd, was_root)
    elif tier == "landlock" and was_root:
        _take_id(policy)
    syscalls.prctl(syscalls.PR_SET_PDEATHSIG, death_signal)  # a change of credentials has taken it away: prctl(2)
    return Prepared(tier, proc_fd, size, os.geteuid(), reaper)


def enter_supervisor(prepared: Prepared, policy: Policy) -> None:
    """In the supervisor of one job, before it forks the job: the job's own namespaces and its tmpfs at `policy.work`.

    The caller itself stays in the pid namespace of the zygote: only what it forks next (`forks.fork_job`) is inside.
    Descriptors it holds stay open. OSError if the kernel refuses.
    """
    if prepared.tier != "namespaces":
        return
    death_signal = syscalls.death_signal()
    namespaces.enter(_flags(policy), prepared.proc_fd)
    syscalls.prctl(syscalls.PR_SET_PDEATHSIG, death_signal)
    if policy.work is not None and "root" not in policy.without:
        namespaces.mount_work(policy.work, policy.work_bytes, policy.work_files)


def resize_work(prepared: Prepared, policy: Policy) -> None:
    """In the supervisor, after `enter_supervisor`: the limits of the job's tmpfs become those of this policy."""
    if prepared.tier == "namespaces" and policy.work is not None and "root" not in policy.without:
        namespaces.resize_work(policy.work, policy.work_bytes, policy.work_files)


def confine_job(prepared: Prepared, policy: Policy) -> None:
    """In the job, before a stranger's code: rlimits, no capabilities, undumpable, no_new_privs, Landlock, seccomp.

    Everything it forks later inherits all of it. OSError if a layer of the tier fails: then leave with os._exit.
    The caller must have one thread, no descriptor but the job's own, and changes to the folder `policy.work` itself.
    """
    if "rlimits" not in policy.without:
        _limit(prepared, policy)
    ids.give_up_privileges()
    if prepared.tier == "none":
        return
    version = 0 if "landlock" in policy.without else landlock.abi()
    if version or (prepared.tier == "landlock" and "landlock" not in policy.without):
        landlock.restrict(policy.readable, () if policy.work is None else (policy.work,))
    if "seccomp" not in policy.without:
        install.install(_need(prepared.tier, policy, version), name_denied=policy.on_denied == "trap")


def forbid_fork() -> None:
    """In a process that `confine_job` with `allow_fork` confined: from now on it starts threads only. One way."""
    install.install_without_fork()


def _enter_namespaces(policy: Policy, proc_fd: int, was_root: bool) -> int:
    """The pid of the reaper, 0 without a pid namespace."""
    empty = () if policy.work is None else (policy.work,)
    if was_root:
        # With the rights of root to reach every path, and seen from the namespaces below locked against any change.
        syscalls.unshare(syscalls.CLONE_NEWNS)
        if "root" not in policy.without:
            root.change_root(policy.readable, empty)
        ids.become(policy.job_id)
        namespaces.enter(_flags(policy), proc_fd)
    else:
        namespaces.enter(_flags(policy), proc_fd)
        if "root" not in policy.without:
            root.change_root(policy.readable, empty)
    return namespaces.start_reaper() if "pid" not in policy.without else 0


def _take_id(policy: Policy) -> None:
    blocked = ids.unreadable_for(policy.job_id, policy.readable)
    if blocked is not None:
        try:
            syscalls.unshare(syscalls.CLONE_NEWNS)
            root.change_root(policy.readable, writable=() if policy.work is None else (policy.work,))
        except OSError as error:
            raise OSError(
                f"user {policy.job_id}, under whom jobs run when the server is root, cannot read {blocked}, and it cannot "
                f"be shown to it otherwise ({error}): install Python where every user may read it"
            ) from error
    ids.become(policy.job_id)


def _flags(policy: Policy) -> int:
    left_out = 0
    for layer in policy.without:
        left_out |= namespaces.BY_LAYER.get(layer, 0)
    return namespaces.ALL & ~left_out


def _limit(prepared: Prepared, policy: Policy) -> None:
    # RLIMIT_NPROC counts in the job's own user namespace, or else all tasks of the user.
    others = TASKS_BESIDE_THE_JOB if prepared.tier == "namespaces" else rlimits.tasks_of(prepared.user)
    rlimits.limit(
        address_space=prepared.address_space_bytes + policy.memory_bytes,
        cpu_seconds=policy.cpu_seconds,
        file_bytes=policy.file_bytes,
        open_files=policy.open_files,
        processes=policy.processes + others,
    )


def _need(tier: Tier, policy: Policy, landlock_version: int) -> Need:
    own_pids = tier == "namespaces" and "pid" not in policy.without
    return Need(
        own_pid=os.getpid(),
        allow_fork=policy.allow_fork,
        allow_memfd=policy.allow_memfd,
        signals_stay_inside=own_pids or landlock_version >= landlock.FIRST_ABI_WITH_SIGNALS,
        files_stay_inside=tier == "namespaces" and "root" not in policy.without,
    )


def high(descriptor: int) -> int:
    """The same open file under a high number that is closed on exec; `descriptor` itself is closed."""
    copy = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, HIGH_FD)
    os.close(descriptor)
    return copy
