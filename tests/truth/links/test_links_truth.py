"""Every exact link again from raw torch, and every link that raw torch has evidence for."""

from __future__ import annotations

import msgspec
import pytest

from graphcap.graph.document import Origin, Source
from tests.truth.links.models import chosen
from tests.truth.links.verify import Verified
from tests.truth.processes import Runs
from tests.truth.sources import Case

pytestmark = pytest.mark.torch


@pytest.mark.parametrize("model", chosen(), ids=lambda case: case.id)
def test_links_are_what_torch_wrote_down(model: Case, runs: Runs) -> None:
    found = Verified(runs.graphcap(model), runs.evidence(model))
    wrong, missing = list(found.wrong()), list(found.missing())
    assert not wrong, "\n".join(wrong[:20])
    assert not missing, "\n".join(missing[:20])
    assert found.checked or not model.id.startswith("examples/")  # hard ones may give nothing to link


def test_the_comparison_has_teeth(runs: Runs) -> None:
    """A link that is not there is missed; one that torch does not bear out is wrong."""
    model = next(case for case in chosen() if case.id == "examples/02_mlp")
    captured, raw = runs.graphcap(model), runs.evidence(model)
    less = Verified(captured, raw)
    for gid, graph in less.graphs.items():
        nodes = tuple(msgspec.structs.replace(node, origin=None) for node in graph.nodes)
        less.graphs[gid] = msgspec.structs.replace(graph, nodes=nodes)
    assert len(list(less.missing())) > 20
    more = Verified(captured, raw)
    joint = more.graphs["joint.0"]
    origin = Origin((Source("input_5", graph_id=next(ids(more))),))
    nodes = tuple(msgspec.structs.replace(n, origin=origin) if n.name == "gelu" else n for n in joint.nodes)
    more.graphs["joint.0"] = msgspec.structs.replace(joint, nodes=nodes)
    assert any("input_5" in text for text in more.wrong())


def ids(found: Verified) -> list[int]:
    return iter([s.graph_id for n in found.graphs["joint.0"].nodes if n.origin for s in n.origin.from_node])  # type: ignore[return-value]
