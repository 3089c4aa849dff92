"""Confines the calling process, one way. Standard library and ctypes only. Doors: `tiers`, `cgroups`, `selftest.choose`.

In the zygote, once, warm and with one thread:        prepared = tiers.prepare_zygote(tier, policy)
In the supervisor, one forked per job:                tiers.enter_supervisor(prepared, policy)
                                                      child = forks.fork_job(prepared, keep=(0, 1, 2, 3, 4), group=group)
In the job (`child is None`), before a stranger's code: tiers.confine_job(prepared, policy)
In a fork of the job that shall not fork:             tiers.forbid_fork()
"""
