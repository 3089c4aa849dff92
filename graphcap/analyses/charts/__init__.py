"""Figures of a target: pure functions on its graphs that give what plotly.js draws, as plain JSON values.

A chart is one file here and one line of `table.CHARTS`. Colours are names (`hue-1`, `ground`) in a trace's `meta`: the page
knows what they are in its theme. Every bar and tile says in `customdata` what it stands for: `[[GID, [node index...]]...]`.
"""
