"""What no inputs are is said, whatever it is, and in few steps."""

from __future__ import annotations

import pytest

from graphcap.graph.inputs import InputsError, TensorText, parse_inputs, tensors_in


@pytest.mark.parametrize("text", ["x: i64[2] < \u00b2", f"x: i64[2] < {'9' * 5000}", "{[1]: 2}", f"f32[2]{' ' * 19_990}x"])
def test_what_can_not_be_read_is_an_inputs_error(text: str) -> None:
    with pytest.raises(InputsError):
        parse_inputs(text)


def test_lists_without_an_end_are_refused() -> None:
    with pytest.raises(InputsError):
        parse_inputs("[" * 5000 + "f32[2]" + "]" * 5000)


def test_blanks_around_a_tensor_are_nothing() -> None:
    (blank,) = parse_inputs(f"  x :  i64 [2]  {' ' * 1000} < 5  ")
    assert blank == parse_inputs("x: i64[2] < 5")[0]


PAIR = TensorText("float32", (2,))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("xs: [f32[2], f32[2]]", [PAIR, PAIR]),
        ("xs: [f32[2], 3, 'a', ]", [PAIR, 3, "a"]),
        ("x: (f32[2])", PAIR),
        ("x: (f32[2],)", (PAIR,)),
        ("x: (f32[2], [f32[2], None])", (PAIR, [PAIR, None])),
        ("x: {'a': f32[2], 'b': {1: [f32[2]], 'c:d': 4}}", {"a": PAIR, "b": {1: [PAIR], "c:d": 4}}),
        ("x: [\n  f32[2],\n  f32[2],\n]", [PAIR, PAIR]),
        ("x: []", []),
        ("x: {}", {}),
        ("x: {'a': [1, 2]}", {"a": [1, 2]}),
    ],
)
def test_tensors_in_lists_tuples_and_dicts(text: str, value: object) -> None:
    (item,) = parse_inputs(text)
    assert item.value == value and type(item.value) is type(value)


def test_the_tensors_of_a_value_come_as_written() -> None:
    (item,) = parse_inputs("{'b': f32[1], 'a': (f32[2], [f32[3], 4])}")
    assert [tensor.shape for tensor in tensors_in(item.value)] == [(1,), (2,), (3,)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x: [f32[2], f33[2]]", "line 1, column 13: 'f33' is no dtype"),
        ("x: [f32[2], , 3]", "line 1, column 13: '' is neither a tensor"),
        ("x: {f32[2]}", "line 1, column 5: 'f32[2]' is no item of a dict"),
        ("x: {'a':\n f32[q]}", "line 2, column 2: 'q' is no dimension"),
        ("x: {[1]: f32[2]}", "no item of a dict"),
        ("x: [f32[b=2], {'y': f32[b=3]}]", "dimension 'b' is 2 in one input and 3 in another"),
        ("x: " + "[" * 17 + "f32[2]" + "]" * 17, "is neither a tensor"),
    ],
)
def test_what_is_wrong_in_a_list_is_told_with_its_place(text: str, words: str) -> None:
    with pytest.raises(InputsError) as raised:
        parse_inputs(text)
    assert words in str(raised.value)
