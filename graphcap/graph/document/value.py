"""What every value of the document is made of."""

from __future__ import annotations

import msgspec


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of every value in the document: immutable, and closed to fields it does not know."""
