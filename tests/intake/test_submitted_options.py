"""Options as they come from a form or a JSON body."""

from __future__ import annotations

import pytest

from graphcap.errors import UserError
from graphcap.graph.document import Options
from graphcap.intake.options import decode_options


@pytest.mark.parametrize("raw", [None, "", b"", "{}", b"{}", {}])
def test_nothing_means_the_defaults(raw: object) -> None:
    assert decode_options(raw) == Options()


def test_text_and_decoded_json_give_the_same() -> None:
    wanted = Options(mode="eval", meta=True, inputs="x: f32[2, 3]", stages=("export", "joint"))
    text = '{"mode": "eval", "meta": true, "inputs": "x: f32[2, 3]", "stages": ["export", "joint"]}'
    decoded = {"mode": "eval", "meta": True, "inputs": "x: f32[2, 3]", "stages": ["export", "joint"]}
    assert decode_options(text) == decode_options(text.encode()) == decode_options(decoded) == wanted


def test_stages_come_once_and_in_their_own_order() -> None:
    assert decode_options({"stages": ["joint", "eager", "joint"]}).stages == ("eager", "joint")


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        ("{", "truncated"),
        ("[]", "Expected `object`"),
        ("\ud800", "surrogates"),
        (7, "Expected `object`"),
        ('{"mode": "fast"}', "$.mode"),
        ({"mode": None}, "$.mode"),
        ({"meta": "yes"}, "$.meta"),
        ({"parameter_statistics": 1}, "$.parameter_statistics"),
        ({"stages": ["jaxpr"]}, "$.stages[0]"),
        ({"stages": "export"}, "$.stages"),
        ({"stages": []}, "`stages` is empty"),
        ({"colour": "red"}, "colour"),
        ({"inputs": "x" * 30_000}, "30000 characters"),
        ({"second_inputs": "x" * 30_000}, "`second_inputs` has 30000 characters"),
        ({"second_inputs": "a\0"}, "`second_inputs` holds"),
        ({"inputs": "a\0"}, "no text"),
        ({"inputs": "\ud800"}, "no text"),
        ('{"inputs": ' + "[" * 100_000, "$.inputs"),
    ],
)
def test_errors_name_the_field_and_say_what_it_may_be(raw: object, says: str) -> None:
    with pytest.raises(UserError) as caught:
        decode_options(raw)
    assert caught.value.code == "bad-options" and caught.value.status == 400
    assert says in caught.value.detail
    assert caught.value.hint


def test_the_hint_lists_every_option() -> None:
    with pytest.raises(UserError) as caught:
        decode_options({"mode": "x"})
    assert all(name in caught.value.hint for name in Options.__struct_fields__)
    assert "as_written | train | eval" in caught.value.hint
