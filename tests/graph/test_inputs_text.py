"""What no inputs are is said, whatever it is, and in few steps."""

from __future__ import annotations

import pytest

from graphcap.graph.inputs import InputsError, parse_inputs


@pytest.mark.parametrize("text", ["x: i64[2] < \u00b2", f"x: i64[2] < {'9' * 5000}", "{[1]: 2}", f"f32[2]{' ' * 19_990}x"])
def test_what_can_not_be_read_is_an_inputs_error(text: str) -> None:
    with pytest.raises(InputsError):
        parse_inputs(text)


def test_blanks_around_a_tensor_are_nothing() -> None:
    (blank,) = parse_inputs(f"  x :  i64 [2]  {' ' * 1000} < 5  ")
    assert blank == parse_inputs("x: i64[2] < 5")[0]
