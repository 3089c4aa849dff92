"""AOTAutograd's joint graph cut in two: by the partitioner that was chosen and, on a copy, by the other, and why so."""
