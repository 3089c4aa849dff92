"""How a capture is made in a person's own environment: of files in processes of its own, of live objects in this one."""
