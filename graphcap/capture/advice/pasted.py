"""Text that is no Python, as it is pasted or sent in place of some: what it is, and what to do."""

from __future__ import annotations

import re
from pathlib import Path

MAX_READ = 1 << 20  # bytes that are looked at; more is no code that a person pastes
_CODE = r"\"\"\"|'''|#|import |from |class |def |async |@"

LINES = {
    r"(<<<<<<<|=======|>>>>>>>)( |$)": "Two versions of the file stand in it, as git leaves them: keep one, and no marks.",
    r">>> ": "It was copied from a prompt: leave out >>> and ... and what was printed.",
    r"\s*(!\s*\w|%%?[a-z])": "Lines that begin with ! or % are a notebook's: leave them out, or send the notebook (.ipynb).",
    r".*[\u2018\u2019\u201c\u201d\u00a0]": "Quotes or spaces of a page or document stand in it: type them again, or send "
    "the file itself.",
}
"""How the line begins that Python stumbles over -> what to do."""

TEXTS = {
    r"^(?:\[rank\d+\]: ?)?Traceback \(most recent call last\):$": "This is what an error printed. Send the file of Python "
    "that it names: the line that fails is told with torch's words, and each stage that works is shown.",
    rf"\A(?!\s*(?:{_CODE}))[^\0]*?^```": "Send only what stands between the lines ```.",
    r"\A\s*(graph\(|opcode +name +target)": "This is a printed graph. Send the file of Python that it was made of.",
    r"\A\s*\w+\(\n\s+\(\w+\): \w+\(": "This is what print(model) shows. Send the file of Python that defines the classes.",
    r"\A\s*(diff --git |--- \S|@@ )": "This is a change to a file. Send the whole file.",
    r"\A\s*https?://\S+\s*\Z": "Addresses are not fetched. Send the file itself.",
    r"\A\s*(\$ *)?(python3?|pip3?|torchrun|accelerate|curl|git) [^=\n]+": "This is a command. Send the script it starts.",
    r"\A(?:[ \t]*\n)*[ \t]+\S": "All of it is indented: move it to the left, as far as its first line.",
}
"""What is in the whole text -> what to do."""


def no_code(error: SyntaxError) -> str:
    """What to do about a file that Python can not read; "" where it is code with a mistake, which Python's words tell."""
    line = error.text or ""
    if words := next((words for pattern, words in LINES.items() if re.match(pattern, line)), ""):
        return words
    try:
        data = Path(error.filename or "").read_bytes()
    except (OSError, ValueError):
        return ""
    text = data[:MAX_READ].decode("utf-8-sig", "replace").replace("\r\n", "\n")
    return next((words for pattern, words in TEXTS.items() if re.search(pattern, text, re.M)), "")
