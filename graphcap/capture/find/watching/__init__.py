"""A script is watched while it runs: what it exports, compiles and traces is recorded, and still works."""
