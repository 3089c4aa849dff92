"""Logs of TORCH_TRACE at the door: told by their content, with the stages that a log has, whatever was asked."""

from __future__ import annotations

import gzip

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
