"""Statistics of parameters, each number held against torch's own; and that there are none where nobody asked."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
import torch
from capture_forks import in_fork
from capture_runs import run_capture
from torch._subclasses.fake_tensor import FakeTensorMode

from graphcap.capture.find.weights.weights import table
from graphcap.capture.fx import statistics as counting
from graphcap.capture.fx.statistics import statistics
from graphcap.graph.document import Graph, Statistics

NAN, INF = float("nan"), float("inf")


def seeded(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(3))


def by_torch(tensor: torch.Tensor) -> dict[str, Any]:
    """What torch says of the finite values, all at once and in double precision."""
    values = tensor.to(torch.complex128).abs() if tensor.is_complex() else tensor
    values = values.double().flatten()
    finite = values[values.isfinite()]
    return {
        "count": tensor.numel(),
        "min": finite.min().item(),
        "max": finite.max().item(),
        "mean": pytest.approx(finite.mean().item(), rel=1e-12, abs=1e-15),
        "std": pytest.approx(finite.std().item(), rel=1e-9) if finite.numel() > 1 else None,
        "zeros": int((values == 0).sum()),
        "nan": int(values.isnan().sum()),
        "infinite": int(values.isinf().sum()),
        "magnitudes": tensor.is_complex(),
        "reason": "",
    }


TENSORS = {
    "float32": seeded(7, 5),
    "bfloat16": seeded(33).bfloat16(),
    "float16": seeded(33).half(),
    "float8_e4m3fn": seeded(33).to(torch.float8_e4m3fn),
    "float8_e5m2": seeded(33).to(torch.float8_e5m2),
    "far from zero": seeded(1000).double() + 1e9,
    "holes": torch.tensor([NAN, INF, -INF, 0.0, -0.0, 2.0, 3.0]),
    "int64": torch.arange(-4, 9),
    "uint8": torch.arange(200, dtype=torch.uint8),
    "bool": torch.tensor([True, False, False, True, True]),
    "complex64": torch.complex(seeded(9), seeded(9)),
    "one": torch.tensor([5.0]),
    "no dimension": torch.tensor(5.0),
    "a view": seeded(8, 6)[::2].t(),
    "expanded": seeded(1, 3).expand(4, 3),
    "a parameter": torch.nn.Parameter(seeded(3, 3)),
}


@pytest.mark.parametrize("name", TENSORS)
@pytest.mark.parametrize("piece", [3, counting.PIECE])
def test_every_number_is_torchs_own(name: str, piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "PIECE", piece)
    assert msgspec.structs.asdict(statistics(TENSORS[name])) == by_torch(TENSORS[name])


def test_where_nothing_is_finite_there_are_counts_only() -> None:
    assert statistics(torch.tensor([NAN, INF])) == Statistics(2, nan=1, infinite=1)
    assert statistics(torch.empty(0, 4)) == Statistics(0)


def test_numbers_near_the_end_of_a_double_are_none_or_right() -> None:
    found = statistics(torch.tensor([1.7e308, -1.7e308, 1.7e308, -1.7e308], dtype=torch.float64))
    assert (found.min, found.max, found.mean, found.std) == (-1.7e308, 1.7e308, 0.0, None)
    found = statistics(torch.tensor([1e300, 3e300], dtype=torch.float64))
    assert found.mean == pytest.approx(2e300) and found.std == pytest.approx(2**0.5 * 1e300)


@pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor")
def test_tensors_without_values_say_why() -> None:
    with FakeTensorMode():
        fake = torch.ones(2)
    quantized = torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.qint8)
    found = {
        "on the device meta": torch.ones(3, device="meta"),
        "a fake tensor": fake,
        "not initialised": torch.nn.LazyLinear(2).weight,
        "layout is sparse_coo": torch.eye(3).to_sparse(),
        "quantized": quantized,
    }
    for words, tensor in found.items():
        counted = statistics(tensor)
        assert words in counted.reason and counted.min is None, words
    assert statistics(found["on the device meta"]).count == 3


class Sulky(torch.Tensor):
    """A subclass that refuses everything."""

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise RuntimeError("no")


def test_a_tensor_that_can_not_be_read_says_so() -> None:
    assert "can not be counted: RuntimeError: no" in statistics(torch.ones(2).as_subclass(Sulky)).reason


def test_a_large_tensor_is_never_converted_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    doubles = counting._doubles
    monkeypatch.setattr(counting, "_doubles", lambda part: (seen.append(part.numel()), doubles(part))[1])
    tensor = torch.ones(5, 700_000, dtype=torch.bfloat16).t()
    assert statistics(tensor).mean == 1.0
    assert max(seen) <= counting.PIECE and sum(seen) == 2 * tensor.numel()


MODEL = """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(3, 2)
        self.n = torch.nn.BatchNorm1d(2)
        with torch.no_grad():
            self.l.weight.copy_(torch.tensor([[0., 1., 2.], [3., 4., float("nan")]]))
    def forward(self, x):
        return self.n(self.l(x))
model = Net()
example_args = (torch.ones(4, 3),)
"""


def told(graphs: tuple[Graph, ...]) -> dict[str, Statistics | None]:
    placeholders = [node.placeholder for graph in graphs for node in graph.nodes if node.placeholder is not None]
    return {each.name: each.statistics for each in placeholders if each.kind in ("parameter", "buffer")}


def test_every_stage_has_them_as_they_were_before_anything_ran() -> None:
    captured = run_capture(MODEL, parameter_statistics=True)
    weight = Statistics(6, 0.0, 4.0, 2.0, pytest.approx(2.5**0.5), zeros=1, nan=1)
    for id_ in ("eager", "dynamo", "export", "core_aten", "joint", "forward"):
        found = told(captured.stage(id_).graphs)
        assert found["l.weight"] == weight, id_
        assert found["n.running_mean"] == Statistics(2, 0.0, 0.0, 0.0, 0.0, zeros=2), id_  # though the run moves it
        assert found["n.num_batches_tracked"] == Statistics(1, 0.0, 0.0, 0.0, zeros=1), id_
        assert None not in found.values(), id_
    inputs = [node.placeholder for node in captured.stage("export").graphs[0].nodes if node.op == "placeholder"]
    assert [each.statistics for each in inputs if each is not None and each.kind == "input"] == [None]


def test_nothing_is_counted_where_nobody_asked() -> None:
    captured = run_capture(MODEL)
    for id_ in ("eager", "dynamo", "export", "core_aten", "joint", "forward", "backward"):
        assert "statistics" not in msgspec.json.encode(captured.stage(id_)).decode(), id_
    assert set(told(captured.stage("export").graphs).values()) == {None}


def test_a_function_that_closes_over_a_model_has_them_too() -> None:
    code = "import torch\nm = torch.nn.Linear(2, 1)\ntorch.nn.init.constant_(m.weight, 3.0)\n"
    code += "@torch.compile\ndef step(x):\n    return m(x).sum()\nstep(torch.ones(1, 2))\n"
    captured = run_capture(code, parameter_statistics=True, stages=("dynamo", "joint"))
    for id_ in ("dynamo", "joint"):
        assert Statistics(2, 3.0, 3.0, 3.0, 0.0) in told(captured.stage(id_).graphs).values(), id_


def test_on_the_meta_device_the_reason_is_told() -> None:
    captured = run_capture(MODEL, parameter_statistics=True, meta=True, stages=("export",))
    found = told(captured.stage("export").graphs)
    assert found and all(each is not None and "meta" in each.reason for each in found.values())


def test_ones_own_process_counts_them_too() -> None:
    def work() -> tuple[Any, Any]:
        import graphcap

        model = torch.nn.Linear(2, 2)
        found = [
            graphcap.capture(model, torch.ones(1, 2), graphcap_stages=("export",), **more)
            for more in ({"graphcap_parameter_statistics": True}, {})
        ]
        graphs = [each.stages["export"].record.graphs for each in found]
        return [told(each)["weight"] for each in graphs], by_torch(model.weight.detach())

    (asked, not_asked), wanted = in_fork(work)
    assert msgspec.structs.asdict(asked) == wanted and not_asked is None


def test_the_table_of_weights_alone_has_columns_of_them() -> None:
    head, row = table({"w": torch.tensor([0.0, 1.0, 2.0, NAN])}, counted=True).splitlines()
    assert head.split() == ["name", "dtype", "shape", "bytes", "min", "max", "mean", "std", "zeros", "nan", "infinite"]
    assert row.split() == ["w", "float32", "[4]", "16", "0", "2", "1", "1", "25.0%", "1", "0"]
    assert "mean" not in table({"w": torch.ones(2)}, counted=False)
