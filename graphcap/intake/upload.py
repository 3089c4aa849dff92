"""A file as it came, before anything about it was checked, with the few looks inside that telling its kind takes."""

from __future__ import annotations

import dataclasses
import functools
import io
import pickletools
import zipfile
from pathlib import PurePosixPath

from graphcap.errors import UserError
from graphcap.intake.budget import Budget

MAX_ENTRIES = 20_000  # archives of torch hold one entry per weight; Python spends 5 µs and 500 bytes on each
MAX_PICKLE_BYTES = 1 << 20  # looked at for its kind only; pickletools walks 1 MiB in about a second
MAX_PICKLES_BYTES = 4 << 20  # of all files of a submission; what is not looked at counts as unreadable
PICKLE_COMPRESSION = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # LZMA takes the memory a header asks for; torch only stores
ZIP_MAGIC = b"PK\x03\x04"
CENTRAL_ENTRY = b"PK\x01\x02"
UNREADABLE = frozenset({"?"})
TORCH_MARKS = ("archive_format", "serialized_exported_program.json", "constants.pkl", "data.pkl", "byteorder")
"""Entries that tell a zip archive of torch's."""

LEGACY_MAGIC = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."
"""How a file of torch.save begins that is no zip archive: the first of five pickles, a number."""

LEGACY_PICKLES = 4  # that, the version, the machine, and the object


MODULE_MARK = "_parameters"
"""An attribute of every nn.Module, that stands in each pickle of one."""


@dataclasses.dataclass(frozen=True)
class Pickled:
    """`names`: classes and functions that a pickle would import; `module`: it may hold an nn.Module. Unread, it may."""

    names: frozenset[str] = UNREADABLE
    module: bool = True


@dataclasses.dataclass(frozen=True)
class Upload:
    """A file as sent: `name` is what the sender says, not to be trusted. `pickles`: one for all files of a submission."""

    name: str
    data: bytes
    pickles: Budget = dataclasses.field(default_factory=lambda: Budget(MAX_PICKLES_BYTES), compare=False, repr=False)

    @property
    def suffix(self) -> str:
        """`.py` for `a/B.PY`."""
        return PurePosixPath(self.name.replace("\\", "/")).suffix.lower()

    @property
    def is_zip(self) -> bool:
        """Says so in its first bytes."""
        return self.data.startswith(ZIP_MAGIC)

    @functools.cached_property
    def entries(self) -> frozenset[str]:
        """Names inside a zip, without the folder all of torch's archives start with. Raises UserError when it is damaged."""
        return frozenset(name.split("/", 1)[-1] for name in self.open().namelist())

    @functools.cached_property
    def pickled(self) -> Pickled:
        """What the pickle in a file of torch's, or a plain one, says, read off without running it."""
        if not self.is_zip:
            return _read(self.data[:MAX_PICKLE_BYTES], self.pickles)
        with self.open() as archive:
            info = next(info for info in archive.infolist() if info.filename.endswith("data.pkl"))
            if info.compress_type not in PICKLE_COMPRESSION:
                return Pickled()
            try:
                with archive.open(info) as stream:
                    return _read(stream.read(MAX_PICKLE_BYTES), self.pickles)
            except Exception:  # zipfile raises whatever broken bytes lead it to: ValueError, RuntimeError, zlib.error, ...
                return Pickled()

    def open(self) -> zipfile.ZipFile:
        """The archive, its table of contents read. Raises UserError when it is damaged or has too many entries."""
        if self.data.count(CENTRAL_ENTRY) > MAX_ENTRIES:  # before zipfile builds an object for each
            raise UserError(
                "unsupported-upload",
                "This archive has too many entries",
                f"More than {MAX_ENTRIES:,} files are in it.",
                "Save the model again, or pack fewer files.",
            )
        try:
            archive = zipfile.ZipFile(io.BytesIO(self.data))
        except Exception as error:  # as above
            raise self._damaged(str(error)) from None
        if all(entry.header_offset > 0 for entry in archive.infolist()):
            raise self._damaged("it ends inside, and what ends there is another archive, as a .pt2 holds for its weights")
        return archive

    def _damaged(self, why: str) -> UserError:
        return UserError(
            "unsupported-upload",
            "This archive is cut off or damaged",
            f"It starts as a zip archive of {len(self.data)} bytes, but its table of contents can not be read: {why}.",
            "Save it again and check that the copy is complete.",
        )


def _read(pickled: bytes, budget: Budget) -> Pickled:
    """Names after GLOBAL opcodes. Protocol 4's STACK_GLOBAL takes its names from the stack: that counts as unreadable."""
    found, module = set(), len(pickled) > budget.left
    stream = io.BytesIO(pickled[: max(budget.left, 0)])
    try:
        for _ in range(LEGACY_PICKLES if pickled.startswith(LEGACY_MAGIC) else 1):
            for opcode, argument, _ in pickletools.genops(stream):
                module |= argument == MODULE_MARK
                if opcode.name == "GLOBAL":
                    found.add(str(argument))
                elif opcode.name == "STACK_GLOBAL":
                    found |= UNREADABLE
    except Exception:  # pickletools raises whatever broken bytes lead it to; what was read until then is enough
        found |= UNREADABLE
    budget.take(stream.tell())
    return Pickled(frozenset(found), module)
