"""Uploaded archives: each is made from a sound .pt2, whose bytes are given."""

from __future__ import annotations

import io
import pickle
import random
import zipfile
from collections.abc import Callable

from tests.attacks.attack import Attack

ANY = ("any",)
"""A capture may take it or refuse it, in words; what counts is what does not happen."""


class Payload:
    """Runs when it is unpickled."""

    def __reduce__(self) -> tuple[object, ...]:
        code = (
            "import os, glob\n"
            "os.write(1, b'[ran]')\n"
            "for path in glob.glob('/var/tmp/canaries-*/secret') + ['/etc/passwd']:\n"
            "    os.write(1, b'[OUT]' + open(path, 'rb').read(80))\n"
        )
        return exec, (code,)


def rewritten(
    change: Callable[[str, bytes], bytes | None], more: dict[str, bytes] | None = None
) -> Callable[[bytes], bytes]:
    """Every entry through `change` (None: as it is), and `more` of them beside."""

    def make(sound: bytes) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(sound)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
            top = source.namelist()[0].partition("/")[0]
            for name in source.namelist():
                data = source.read(name)
                target.writestr(name, change(name, data) or data)
            for name, data in (more or {}).items():
                target.writestr(f"{top}/{name}", data)
        return out.getvalue()

    return make


def where(part: str, data: bytes) -> Callable[[bytes], bytes]:
    """The entries whose name has `part` in it become `data`."""
    return rewritten(lambda name, old: data if part in name else None)


def with_pickled_weights(sound: bytes) -> bytes:
    """Says of its weights that they are pickles."""
    flagged = rewritten(
        lambda name, old: (
            old.replace(b'"use_pickle": false', b'"use_pickle": true').replace(b'"use_pickle":false', b'"use_pickle":true')
            if name.endswith(".json")
            else pickle.dumps(Payload())
            if "weight_" in name or "tensor_" in name
            else None
        )
    )
    return flagged(sound)


def with_code_in_shapes(sound: bytes) -> bytes:
    """A symbolic shape that is an expression for eval."""
    evil = b"__import__('os').write(1, b'[ran]')"
    return rewritten(lambda name, old: old.replace(b'"s77"', b'"' + evil + b'"').replace(b'"s0"', b'"' + evil + b'"'))(sound)


def with_lying_sizes(sound: bytes) -> bytes:
    """The directory at its end says that entries are small."""
    made = bytearray(bomb(sound))
    at = made.rfind(b"PK\x01\x02")
    made[at + 24 : at + 28] = (16).to_bytes(4, "little")
    return bytes(made)


def bomb(sound: bytes) -> bytes:
    """400 MB of zeros in some hundred kilobytes."""
    return rewritten(lambda name, old: bytes(400_000_000) if "weight_0" in name else None)(sound)


def entries(count: int) -> Callable[[bytes], bytes]:
    """So many beside those there are."""
    return rewritten(lambda name, old: None, {f"data/x{n}": b"" for n in range(count)})


def pickled(sound: bytes) -> bytes:
    """A bare pickle."""
    return pickle.dumps(Payload())


def inside_out(name: str) -> Callable[[bytes], bytes]:
    """One more entry of this name, and the archive's own kept."""

    def make(sound: bytes) -> bytes:
        out = io.BytesIO(sound)
        with zipfile.ZipFile(out, "a") as target:
            target.writestr(name, b"escaped")
        return out.getvalue()

    return make


def link(sound: bytes) -> bytes:
    """An entry that is a symbolic link to a file of the machine."""
    out = io.BytesIO(sound)
    with zipfile.ZipFile(out, "a") as target:
        entry = zipfile.ZipInfo(zipfile.ZipFile(io.BytesIO(sound)).namelist()[0].partition("/")[0] + "/data/weights/link")
        entry.external_attr = 0o120777 << 16
        target.writestr(entry, "/etc/passwd")
    return out.getvalue()


def archive(name: str, upload: Callable[[bytes], bytes], refused: str = "") -> Attack:
    """Uploaded."""
    return Attack(name, ends=ANY, tries=False, upload=upload, refused=refused)


ATTACKS = (
    archive("a pickle as the sample inputs", where("sample_inputs", pickle.dumps(Payload()))),
    archive("pickles as weights", with_pickled_weights),
    archive("code in a symbolic shape", with_code_in_shapes),
    archive("a bomb of zeros", bomb),
    archive("sizes that lie", with_lying_sizes),
    archive("almost 20,000 entries", entries(19_900)),
    archive("more than 20,000 entries", entries(20_000), "unsupported-upload"),
    archive("a name that climbs", inside_out("../../../../var/tmp/graphcap-escaped")),
    archive("an absolute name", inside_out("/var/tmp/graphcap-escaped")),
    archive("a symbolic link", link),
    archive("an entry twice", inside_out("archive_format")),
    archive("a model that is no JSON", where("models/model.json", b"\xff" * 1000)),
    archive("a model nested deeply", where("models/model.json", b"[" * 100_000)),
    archive("a bare pickle", pickled),
    archive("random bytes", lambda sound: random.Random(7).randbytes(5000), "unsupported-upload"),
    archive("cut in half", lambda sound: sound[: len(sound) // 2], "unsupported-upload"),
    archive("nothing but a zip's end", lambda sound: b"PK\x05\x06" + bytes(18), "unsupported-upload"),
)
