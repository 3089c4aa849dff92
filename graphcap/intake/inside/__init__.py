"""What one upload holds: the files of an archive, the code of a notebook."""
