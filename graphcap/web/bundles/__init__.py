"""What the files below `static/` become on their way out: without comments, style sheets joined; for the viewer in one HTML
file, which can load no modules, those joined too.
"""
