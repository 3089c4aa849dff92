"""Lies to the server: what it is sent is checked, bounded, and never more than one capture's own page."""

# ruff: noqa: E501 - the code of an attack stands as it is sent
from __future__ import annotations

from tests.attacks.attack import DONE, EXITED, INVALID, NO_RESULT, NOTHING, TIMEOUT, Attack, hard, in_forward

REFUSED = (INVALID, NOTHING, EXITED, "internal", NO_RESULT, TIMEOUT, DONE)
"""The capture process drops what is no message, or the server refuses it: either way the capture ends in words."""


def forged(name: str, code: str, *ends: str, **more: object) -> Attack:
    """Sent in the place of the capture's own words; then the process ends at once."""
    return hard(name, code + "\nos._exit(0)", *(ends or REFUSED), **more)


GRAPH = {"id": "export.0", "title": "t", "fragment": 0, "nodes": []}

ATTACKS = (
    hard("a flood of printed output", "for _ in range(200): os.write(1, b'x' * 65536)", NOTHING),
    forged("a flood of results", "while True: send(framed(FOUND) * 100)"),
    forged("a flood without a message's end", "send(struct.pack('>I', 1 << 29))\nwhile True: send(b'x' * 65536)"),
    forged("a message without end, slowly", "send(struct.pack('>I', 1 << 20))\nfor _ in range(100): send(b'[' * 1000)"),
    forged("junk", "send(os.urandom(100_000))"),
    forged("a length that lies", "send(struct.pack('>I', 0xffffffff) + b'{}')"),
    forged(
        "a pickle that executes",
        "import pickle\nclass P:\n    def __reduce__(self): return (os.system, ('touch ' + canary.open_folder + '/pickled',))\nsend(framed(pickle.dumps(P())))",
    ),
    forged("another schema", "send(framed({'m': 'found', 'targets': 7, 'run': '__import__'}))"),
    forged("very deep JSON", "send(framed(b'[' * 1_000_000))\nsend(framed(b'{\"m\":' * 100_000))"),
    forged(
        "numbers beyond all bounds",
        'send(framed(b\'{"m":"ended","target":"t1","stage":{"id":"export","status":"done","seconds":1e999}}\'))\nsend(framed(b\'{"m":"hello","torch":\' + b\'9\' * 1_000_000 + b\'}\'))',
    ),
    forged("half characters", 'send(framed(b\'{"m":"hello","torch":"\\\\ud800"}\'))\nsend(framed(b\'\\xff\\xfe\'))'),
    forged(
        "names that are paths", "send(framed({'m': 'found', 'targets': [{'id': '../../t1', 'title': 'x', 'rule': 'x'}]}))"
    ),
    forged(
        "graphs of another capture",
        "send(framed(FOUND) + framed(STARTED) + framed({'m': 'ended', 'target': 't9', 'stage': {'id': 'export', 'status': 'done', 'graphs': []}}))",
    ),
    forged(
        "140,000 nodes",
        "nodes = [{'name': f'n{i}', 'op': 'call_function', 'target': 'f'} for i in range(140_000)]\nsend(framed(FOUND) + framed({'m': 'ended', 'target': 't1', 'stage': {'id': 'export', 'status': 'done', 'graphs': [{'id': 'export.0', 'title': 't', 'fragment': 0, 'nodes': nodes}]}}))",
    ),
    forged(
        "a plausible forgery",
        "send(framed(FOUND) + framed(STARTED) + framed({'m': 'ended', 'target': 't1', 'stage': {'id': 'export', 'status': 'skipped', 'reason': '<script>alert(1)</script>'}}))",
    ),
    forged(
        "a thousand targets",
        "send(framed({'m': 'found', 'targets': [{'id': f't{i}', 'title': 'x', 'rule': 'x'} for i in range(1, 1001)]}))",
    ),
    forged("the end, and more after it", "send(framed(FOUND) + framed({'m': 'bye'}) + framed(FOUND) * 5)"),
    forged("half a message", "send(framed(FOUND)[:20])"),
    hard(
        "writing after it ended",
        """
        if os.fork() == 0:
            time.sleep(0.3)
            while True: send(framed(FOUND)); os.write(1, b"[late]"); time.sleep(0.01)
        """,
        *REFUSED,
    ),
    hard("closing every descriptor", "os.closerange(0, 4096)", *REFUSED),
    hard(
        "other descriptors in their places",
        "for n in channels():\n    os.dup2(os.open('/dev/zero', os.O_RDONLY), n)",
        *REFUSED,
    ),
    hard("giant names and texts in a graph", in_forward("self.__class__.__name__ = 'x' * 10**6"), *REFUSED),
)
