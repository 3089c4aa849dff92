"""What is counted beside captures themselves: who sent how many lately, and what became of all there ever were."""
