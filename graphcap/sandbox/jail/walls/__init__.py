"""The walls of the jail, one a file: each is put up by the process it then holds. `tiers` says which, and in what order."""
