"""Tries to break out of the jail before anybody else does. The door is `choose.choose_tier`."""
