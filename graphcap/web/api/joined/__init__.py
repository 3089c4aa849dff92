"""What joins the graphs of a capture: links, traces, the mirror, the story of the breaks."""
