"""Graphs from the Python text that torch printed of them (`GraphModule.print_readable`), read with `ast`."""
