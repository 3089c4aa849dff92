"""Who may submit, and how much: the sender behind a request, where there is no jail, and the limits of one address."""

from graphcap.web.admission.admit import admit

__all__ = ["admit"]
