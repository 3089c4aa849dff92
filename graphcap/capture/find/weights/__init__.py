"""Files of numbers under names: read without running anything, told, and loaded into the model they fit."""
