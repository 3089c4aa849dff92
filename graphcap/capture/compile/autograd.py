"""AOTAutograd on one Dynamo fragment, recorded as it works: the joint graph before it is cut, both halves as the partitioner
returns them, or the one inference graph. Graphs are recorded at once, since later passes change them in place.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch._decomp
import torch.fx
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.exc import TensorifyScalarRestartAnalysis
from torch._functorch._aot_autograd.utils import make_boxed_func

from graphcap.capture.compile.blame import anomalies
from graphcap.capture.compile.descriptors import (
    described_inputs,
    described_outputs,
    name_missing_gradients,
    saved_inputs,
)
from graphcap.capture.partition.cut import OTHER, Halves, Joint, Name, cut
from graphcap.capture.record import Recorder
from graphcap.capture.target.loaded import Loaded
from graphcap.graph.document import Graph, Options, Placeholder, StageId


@dataclasses.dataclass
class Fragment:
    """What AOTAutograd made of one fragment. `graphs` of a stage are missing where it did not get there."""

    index: int
    inputs: tuple[Placeholder, ...]
    module: torch.fx.GraphModule  # Dynamo's
    recording: Recording | None = None
    joint: Joint | None = None  # as it was before a partitioner had it
    halves: dict[str, Halves] = dataclasses.field(default_factory=dict)  # by variant; "": those of the chosen partitioner
    variants: dict[StageId, list[Graph]] = dataclasses.field(default_factory=dict)  # the graphs of the other partitioner
    watched: Callable[[Sequence[Any]], None] | None = None  # later: is given what the fragment is called with
    graphs: dict[StageId, list[Graph]] = dataclasses.field(default_factory=dict)
    no_backward: str = ""  # why there is only an inference graph
    error: Exception | None = None  # raised while the graphs were made
    anomaly: list[str] = dataclasses.field(default_factory=list)  # autograd's words on which call's derivative raised it
    run_error: Exception | None = None  # raised by the graphs when they ran
    ran: list[torch.fx.GraphModule] = dataclasses.field(default_factory=list)  # the forward or inference graph that runs


def compile_fragment(
    fragment: Fragment,
    module: torch.fx.GraphModule,
    example_inputs: Sequence[Any],
    target: Loaded,
    options: Options,
    recorder: Recorder,
) -> Callable[..., Any]:
    """Fills in `fragment`. Where AOTAutograd fails, it runs as Dynamo captured it, so that what follows is captured too."""
    recording = recording_of(fragment, target, recorder, options.partitioner)
    fragment.no_backward = _why_no_backward(example_inputs)
    backend = aot_autograd(
        fw_compiler=recording.forward,
        bw_compiler=run_as_is,
        inference_compiler=recording.inference,
        partition_fn=recording.partition,
        decompositions=torch._decomp.core_aten_decompositions() if options.decompositions == "core_aten" else None,
    )
    try:
        with anomalies() as fragment.anomaly:
            compiled = backend(module, example_inputs)
    except TensorifyScalarRestartAnalysis:  # not a failure: Dynamo has to trace the frame again
        raise
    except Exception as error:
        fragment.error = error
        return module.forward
    return _or_as_captured(compiled, module, fragment)


def recording_of(fragment: Fragment, target: Loaded, recorder: Recorder, partitioner: Name) -> Recording:
    """What AOTAutograd is given in place of compilers and a partitioner: it fills in `fragment`."""
    fragment.recording = Recording(fragment, target, recorder, partitioner)
    return fragment.recording


def run_as_is(module: torch.fx.GraphModule, example_inputs: Sequence[Any]) -> Any:
    """A compiler for AOTAutograd that compiles nothing."""
    return make_boxed_func(module.forward)


def _or_as_captured(compiled: Callable[..., Any], module: torch.fx.GraphModule, fragment: Fragment) -> Callable[..., Any]:
    """Runs the compiled fragment; when it fails where Dynamo's graph does not, that is noted and the run goes on."""

    def call(*args: Any) -> Any:
        if fragment.watched is not None:
            fragment.watched(args)
            return module.forward(*args)
        try:
            return compiled(*args)
        except Exception as error:
            result = module.forward(*args)
            fragment.run_error = error
            return result

    return call


def _why_no_backward(example_inputs: Sequence[Any]) -> str:
    """The reason AOTAutograd goes by, should it make an inference graph."""
    if not any(isinstance(value, torch.Tensor) and value.requires_grad for value in example_inputs):
        return "nothing requires grad"
    if not torch.is_grad_enabled():
        return "grad mode is off (torch.no_grad or inference_mode)"
    return "no output requires grad"


@dataclasses.dataclass(frozen=True)
class Recording:
    """Records the graphs of a fragment as AOTAutograd hands them over."""

    fragment: Fragment
    target: Loaded
    recorder: Recorder
    partitioner: Name

    def partition(self, joint: torch.fx.GraphModule, joint_inputs: Any, **settings: Any) -> Halves:
        """In place of a partitioner."""
        if not joint_inputs:  # the body of a nested_compile_region, cut by itself before the graph that calls it
            return cut(self.partitioner, joint, joint_inputs, settings)
        self.keep("joint", joint, described_inputs(joint.graph, self.fragment.inputs), self.primals(joint))
        self.fragment.joint = Joint.copy_of(joint, joint_inputs, settings)
        halves = cut(self.partitioner, joint, joint_inputs, settings)
        self.keep_halves(halves, self.primals(joint))
        return halves

    def cut_otherwise(self) -> None:
        """The halves that the partitioner which was not chosen makes, as variants. Raises what it raises."""
        assert self.fragment.joint is not None
        other = OTHER[self.partitioner]
        module, halves = self.fragment.joint.cut(other)
        self.keep_halves(halves, self.primals(module), other)

    def primals(self, joint: torch.fx.GraphModule) -> list[Placeholder]:
        """The forward's inputs."""
        return [p for p in described_inputs(joint.graph, self.fragment.inputs).values() if p.kind != "tangent"]

    def keep_halves(self, halves: Halves, primals: Sequence[Placeholder], variant: str = "") -> None:
        """Both halves of a cut."""
        forward, backward = halves
        self.fragment.halves[variant] = halves
        self.keep("forward", forward, described_inputs(forward.graph, self.fragment.inputs), (), variant=variant)
        self.keep("backward", backward, saved_inputs(backward.graph, self.fragment.inputs), primals, variant=variant)

    def forward(self, module: torch.fx.GraphModule, example_inputs: Sequence[Any]) -> Any:
        """In place of the compiler of forward graphs."""
        self.fragment.ran.append(module)
        return run_as_is(module, example_inputs)

    def inference(self, module: torch.fx.GraphModule, example_inputs: Sequence[Any]) -> Any:
        """In place of the compiler of graphs without a backward."""
        self.keep("forward", module, described_inputs(module.graph, self.fragment.inputs), (), inference=True)
        return self.forward(module, example_inputs)

    def keep(
        self,
        stage: StageId,
        module: torch.fx.GraphModule,
        placeholders: dict[str, Placeholder],
        primals: Sequence[Placeholder],
        inference: bool = False,
        variant: str = "",
    ) -> None:
        """Records a graph of the fragment."""
        outputs = described_outputs(module.graph, self.fragment.inputs)
        found = self.fragment.variants if variant else self.fragment.graphs
        found[stage] = self.recorder.record(
            module,
            gid=self.target.gid(stage, self.fragment.index, variant),
            title="",
            fragment=self.fragment.index,
            placeholders=placeholders,
            returns=name_missing_gradients(outputs, primals) if primals else outputs,
            inference=inference,
            variant=variant,
        )
