"""What Python code says about the models in it, read with `ast`; nothing is run. The door: `reading.look`."""
