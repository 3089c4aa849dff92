"""The *inputs* field: what it says, and what it says when it cannot be read."""

from __future__ import annotations

import pytest
import torch

from graphcap.capture.find.inputs import InputsError, TensorInput, parse_inputs
from graphcap.capture.find.signature import call_with


class Takes(torch.nn.Module):
    def forward(self, x, ids, *, scale=1.0):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        return x * scale, ids


def test_separators_names_dtypes_bounds_and_python_values() -> None:
    text = "x: f32[batch=2, 3]; ids: i64[1, 16] < 1000, b8[]\nflag: True\nmode: 'a, b'; torch.bfloat16[4], sizes: [1, 2]"
    found = {item.name or str(i): item.value for i, item in enumerate(parse_inputs(text))}
    assert found["x"] == TensorInput(torch.float32, (2, 3), None, ((0, "batch"),))
    assert found["ids"] == TensorInput(torch.int64, (1, 16), 1000)
    assert found["2"] == TensorInput(torch.bool, ())
    assert (found["flag"], found["mode"], found["sizes"]) == (True, "a, b", [1, 2])
    assert found["5"] == TensorInput(torch.bfloat16, (4,))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x: f33[2]", "line 1, column 4: 'f33' is no dtype"),
        ("x: f32[2]\n  y: f32[2, -1]", "line 2, column 6: '-1' is no dimension"),
        ("f32[2", "line 1, column 1: 'f32[2' is neither a tensor"),
        ("x: f32[2] < 3", "'<' is for whole numbers"),
        ("x: i64[2] < 0", "expected a whole number of at least 1"),
        ("x: f32[2]; x: f32[2]", "x is given more than once"),
        ("x: f32[b=2]; y: f32[b=3]", "dimension 'b' is 2 in one input and 3 in another"),
        ("x: open('/etc/passwd')", "neither a tensor"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(text: str, words: str) -> None:
    with pytest.raises(InputsError) as raised:
        parse_inputs(text)
    assert words in str(raised.value)


def test_inputs_go_to_the_parameters_by_name_or_by_place() -> None:
    call = call_with(Takes(), "scale: 2.0; ids: i64[4] < 3; x: f16[b=2, 3]")
    x, ids = call.args
    assert (x.dtype, tuple(x.shape), ids.dtype, call.kwargs) == (torch.float16, (2, 3), torch.int64, {"scale": 2.0})
    assert int(ids.max()) < 3
    assert {name: list(shape or {}) for name, shape in call.dynamic_shapes.items()} == {"x": [0], "ids": [], "scale": []}
    assert torch.equal(call_with(Takes(), "f32[5]; i64[1]").args[0], call_with(Takes(), "f32[5]; i64[1]").args[0])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x: f32[2]", "no value for ids; the model takes (x, ids, *, scale=1.0)"),
        ("f32[2], f32[2], f32[2]", "3 inputs by position, but the model takes"),
        ("f32[2], f32[2], y: f32[2]", "the model has no input 'y'"),
        ("f32[2], i64[1], x: f32[2]", "'x' is given by position and by name"),
    ],
)
def test_inputs_that_do_not_fit_the_model(text: str, words: str) -> None:
    with pytest.raises(InputsError) as raised:
        call_with(Takes(), text)
    assert words in str(raised.value)


def test_a_function_of_any_number_of_inputs() -> None:
    def total(*xs: torch.Tensor) -> torch.Tensor:
        return sum(xs)  # type: ignore[return-value]

    call = call_with(total, "f32[n=2]; f32[n=2]")
    assert len(call.args) == 2 and [list(shape) for shape in call.dynamic_shapes[0]] == [[0], [0]]


class Batched(torch.nn.Module):
    def forward(self, images, batch):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        return torch.cat([image.flatten(1) for image in images], 1) @ batch["weight"] + batch["bias"][0]


def test_tensors_in_lists_and_dicts_are_made_where_they_stand_and_export_takes_them() -> None:
    text = "images: [f32[n=3, 4], f32[n=3, 2, 2]], batch: {'weight': f32[8, 5], 'bias': (f32[5], 7)}"
    call = call_with(Batched(), text)
    images, batch = call.args
    assert [tuple(image.shape) for image in images] == [(3, 4), (3, 2, 2)]
    assert tuple(batch["weight"].shape) == (8, 5) and batch["bias"][1] == 7
    program = torch.export.export(Batched(), call.args, dynamic_shapes=call.dynamic_shapes)
    shapes = [tuple(node.meta["val"].shape) for node in program.graph.nodes if node.name.startswith("images")]
    assert str(shapes[0][0]) == str(shapes[1][0]) and not str(shapes[0][0]).isdigit(), "one dimension, dynamic in both"
