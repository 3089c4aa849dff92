"""Runs jobs under limits, confined, and says what happened. Knows nothing of graphs. The door is `zygote.run`.

zygote/        a process that has loaded a module once, and forks a job for every run
jail/          the walls around a job
outcome        what a run may take, and what became of it
pipes, channels, verdict   what the server hears of a run, and what it concludes
environment, workfolder, procfs   what a job sees; where it writes; what /proc tells
"""
