"""How a record of TORCH_TRACE begins, for those who tell a log from other files and those who read it."""

from __future__ import annotations

import re

HEAD = re.compile(rb"[VDIWEC]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ .*?\] (?=\{)")
"""Level, date, time, thread, place in torch's own code: `V1130 06:17:59.123000 4711 torch/_logging/structured.py:28] {`."""
