"""What a reader without JavaScript gets: the stages of a capture, and every graph as nested text."""
