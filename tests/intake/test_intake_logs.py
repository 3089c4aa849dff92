"""Logs of TORCH_TRACE at the door: told by their content, with the stages that a log has, whatever was asked."""

from __future__ import annotations

import gzip
import io
import zipfile

import pytest

from graphcap.errors import UserError
from graphcap.graph.document import LOG_STAGES
from graphcap.intake.accept import accept_files
from graphcap.intake.options import decode_options
from graphcap.intake.upload import Upload
from graphcap.settings import Settings

LINE = b'V1130 06:12:29.538000 23366 /site-packages/torch/_logging/structured.py:28] {"str": ["a.py", 1]}\n'


@pytest.mark.parametrize(("name", "data"), [("a.log", LINE), ("trace", LINE), ("a.log.gz", gzip.compress(LINE))])
def test_a_log_is_told_by_its_content(name: str, data: bytes) -> None:
    found = accept_files([Upload(name, data)], '{"stages": ["export"]}', Settings())
    assert (found.kind, found.options.stages, found.files[0].data) == ("log", LOG_STAGES, LINE)


def test_a_log_is_the_entry_beside_its_code() -> None:
    found = accept_files([Upload("train.py", b"import torch\n"), Upload("a.log", LINE)], None, Settings())
    assert (found.kind, found.entry) == ("log", "a.log")
    assert {file.name for file in found.files} == {"a.log", "train.py"}


def test_code_is_not_asked_for_stages_of_logs() -> None:
    with pytest.raises(UserError) as caught:
        decode_options({"stages": ["pre_grad"]})
    assert "logs of TORCH_TRACE only" in caught.value.detail


def zipped(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()


def test_packed_logs_in_an_archive_are_unpacked_and_packed_data_is_left() -> None:
    data = gzip.compress(b"1,2\n")
    made = zipped({"a.log.gz": gzip.compress(LINE), "b.log": LINE, "data.csv.gz": data, "odd.gz": b"\x1f\x8b\x08\xff"})
    found = accept_files([Upload("trace.zip", made)], None, Settings())
    files = {file.name: file.data for file in found.files}
    assert files == {"a.log": LINE, "b.log": LINE, "data.csv.gz": data, "odd.gz": b"\x1f\x8b\x08\xff"}


@pytest.mark.parametrize("count", [1, 3])
def test_packed_logs_in_an_archive_are_unpacked_under_the_same_limit(count: int) -> None:
    large = gzip.compress(LINE + b"#" * ((2 << 20) // count))
    made = zipped({f"{i}.log.gz": large for i in range(count)})
    with pytest.raises(UserError) as caught:
        accept_files([Upload("trace.zip", made)], None, Settings(upload_mib=1))
    assert caught.value.code == "too-large"


@pytest.mark.parametrize("more", [b"", b"\0" * 512])
def test_all_parts_of_a_packed_log_are_read(more: bytes) -> None:
    noise = LINE + bytes(range(1, 256)) * 400
    packed = gzip.compress(noise, 0) + gzip.compress(b"") + gzip.compress(LINE) + more
    found = accept_files([Upload("a.log.gz", packed)], None, Settings())
    assert found.files[0].data == noise + LINE


@pytest.mark.parametrize("cut", [1, 8, 20, len(gzip.compress(LINE)) - 3])
def test_a_packed_log_that_is_cut_off_is_refused(cut: int) -> None:
    for whole in (gzip.compress(LINE), gzip.compress(LINE) * 2):
        with pytest.raises(UserError) as caught:
            accept_files([Upload("a.log.gz", whole[:-cut])], None, Settings())
        assert (caught.value.code, caught.value.title) == ("unsupported-upload", "This file is damaged")


def test_a_packed_log_of_very_many_parts_is_refused_before_it_is_unpacked() -> None:
    with pytest.raises(UserError, match="damaged") as caught:
        accept_files([Upload("a.log.gz", gzip.compress(b"") * 10_001)], None, Settings())
    assert "more than 10,000 parts" in caught.value.detail
