"""`python -m graphcap.sandbox.zygote --preload MODULE ...`: started by `process.Process`, and by nobody else.

Loads and warms the module, goes to jail, says Ready, and forks a supervisor for every job until the server is gone.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import socket
import sys
import time
from typing import Any, cast

from graphcap.sandbox.jail import cgroups, tiers
from graphcap.sandbox.jail.policy import JOB_ID, WORK, Policy, Tier
from graphcap.sandbox.jail.readable import python_paths
from graphcap.sandbox.zygote import large_pages, protocol
from graphcap.sandbox.zygote.job import INPUT, Ward
from graphcap.sandbox.zygote.serving import Zygote
from graphcap.sandbox.zygote.watching import lifeline

POOL_MEMORY = 1 << 50  # every job has a group of its own with a limit of its own
POOL_PROCESSES = 1 << 20
COLLECTIONS = 3  # what a collection frees may free more


def main() -> None:
    """Returns when the server is gone."""
    parser = argparse.ArgumentParser(prog="python -m graphcap.sandbox.zygote")
    parser.add_argument("--preload", required=True, help="module with warm() and run()")
    parser.add_argument("--control-fd", type=int, required=True, help="the SOCK_SEQPACKET socket to the server")
    parser.add_argument("--tier", required=True, help="how jobs are confined")
    parser.add_argument("--work", required=True, help="where the folders of jobs lie that have no file system of their own")
    parser.add_argument("--readable", nargs="*", default=[], help="paths that jobs may read, beside Python's own")
    parser.add_argument("--cgroup", default="", help="name of the cgroup that jobs are put under")
    arguments = parser.parse_args()
    _keep_low_numbers()
    control = socket.socket(fileno=arguments.control_fd)
    os.set_inheritable(arguments.control_fd, False)
    lifeline.die_with_parent_thread()
    began = time.monotonic()
    try:
        ward = _ward(arguments)
    except BaseException as error:
        protocol.send(control, protocol.Failed(f"{type(error).__name__}: {error}"[:1000]))
        raise
    lifeline.die_with_parent_thread()  # a change of id in between made the kernel forget it
    protocol.send(control, protocol.Ready(os.getpid(), ward.prepared.tier, seconds=time.monotonic() - began))
    Zygote(control, ward).serve()


def _keep_low_numbers() -> None:
    """Descriptors that are passed later must not take the numbers that a job's own have."""
    while (descriptor := os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)) <= INPUT:
        pass
    os.close(descriptor)


def _ward(arguments: argparse.Namespace) -> Ward:
    module: Any = importlib.import_module(arguments.preload)
    module.warm()
    for _ in range(COLLECTIONS):
        gc.collect()
    gc.freeze()  # a collection in a job leaves what is there alone, so that its pages stay shared
    large_pages.collapse()
    threads = len(os.listdir("/proc/self/task"))
    if threads != 1:
        raise RuntimeError(
            f"{arguments.preload} left {threads - 1} threads running: a process with threads can not be forked"
        )
    tier = cast(Tier, arguments.tier)
    readable = (*python_paths(), *arguments.readable)
    pool = None
    if arguments.cgroup:
        pool = cgroups.open_pool(arguments.cgroup, JOB_ID if os.getuid() == 0 else os.getuid(), POOL_MEMORY, POOL_PROCESSES)
    work = WORK if tier == "namespaces" else arguments.work
    prepared = tiers.prepare_zygote(tier, Policy(readable=readable, work=work))
    return Ward(module=module, prepared=prepared, readable=readable, pool=pool)


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)
