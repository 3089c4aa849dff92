"""Who may submit, and how much: the sender behind a request, where there is no jail, and the limits of one address."""
