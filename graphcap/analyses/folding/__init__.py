"""What of a graph can be drawn once for several: identical blocks."""
