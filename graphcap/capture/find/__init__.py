"""From a submitted file to the targets in it: importing it, watching what it exports and compiles, the rules, the inputs."""
