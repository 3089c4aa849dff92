"""A process that has loaded a module once and warmed it, and forks a confined job for every run. Knows nothing of graphs.

    server   pool: keeps one warm zygote ready        run: one job through it, to an Outcome
       |  SEQPACKET socket, descriptors passed
    zygote   __main__, serving: loads the module, warms it, goes to jail, forks
       +- supervisor   supervising: trusted; makes the job's namespaces, keeps its clock, kills it
          +- job       job: unpacks its files, confines itself, calls the module's `run`

The module that is loaded has two functions:

    warm() -> None                                  once, in the zygote, unconfined; leaves one thread running
    run(request: bytes, folder: Path, result_fd: int, give_up_processes: Callable[[], None]) -> int
                                                    in every job, confined; returns the exit code

`folder` holds `code`, with the submitted files, which is the working directory; and `home`. The function
`give_up_processes` may be called in a process that the job forks: from there on it can start no other.

Whoever dies takes with it everything below: each process holds a pipe that its parent's death closes, and is killed by
the kernel as well (PR_SET_PDEATHSIG).
"""
