"""What the files below `static/` become on their way out: stripped of comments, style sheets joined, and for the viewer in one
HTML file, which can load none, the modules joined too.
"""
