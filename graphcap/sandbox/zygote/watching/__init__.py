"""What the zygote and its supervisors look after: their parents, the processes below them, what a job writes."""
