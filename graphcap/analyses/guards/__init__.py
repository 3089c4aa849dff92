"""The guards of a piece of compiled code, by what they look at: a tree of access paths."""
