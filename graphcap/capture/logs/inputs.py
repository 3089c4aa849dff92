"""What the inputs and outputs of a logged graph stand for: by Dynamo's sources and AOTAutograd's descriptors, as printed."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence

from graphcap.capture.compile.sources import source_name
from graphcap.capture.logs.printed.forward import Input, Returned
from graphcap.capture.logs.printed.graphs import Named
from graphcap.graph.document import Meta, Output, OutputKind, Placeholder, PlaceholderKind, Scalar

_PLAIN = re.compile(r"PlainAOTInput\(idx=(\d{1,6})\)")
_OUTPUT = re.compile(r"PlainAOTOutput\(idx=(\d{1,6})\)")
_NAMED = re.compile(r"(?P<kind>Param|Buffer)AOTInput\(target='(?P<name>[^']*)'\)")
_POSITION = re.compile(r"(?:primals_(?P<primal>\d{1,6})|arg(?P<arg>\d{1,6})_1)")
_SELF = re.compile(r"^self\.")
MAX_DESC = 2_000
_MUTATION: dict[str, OutputKind] = {"parameter": "parameter_mutation", "buffer": "buffer_mutation"}


@dataclasses.dataclass(frozen=True)
class Inputs:
    """The inputs of one compile: those of Dynamo's graph, in order. AOTAutograd's graphs count them."""

    own: tuple[Placeholder, ...] = ()

    def dynamo(self, sources: Iterable[str]) -> Named:
        """Of Dynamo's graph; an input is called like the source Dynamo reads it from, with all but letters made `_`."""
        by_target = {re.sub(r"[^a-zA-Z0-9]+", "_", source): source for source in sources}

        def placeholder(given: Input, value: Meta | None) -> Placeholder:
            source = by_target.get(given.target, "")
            if isinstance(value, Scalar):
                return Placeholder("symint", source_name(source) or given.target, source or given.desc)
            return Placeholder(_kind(source), _SELF.sub("", source_name(source)) or given.target, source or given.desc)

        return Named(placeholder, lambda given, index, count: Output("user_output", desc=given.desc))

    def aot(self, *, saved: bool = False, gradients: bool = False, outputs: int | None = None) -> Named:
        """Of a graph of AOTAutograd. `saved`: of a backward, whose other inputs are what the forward saved. `gradients`: it
        returns one for each input, also where that is None. `outputs`: how many values the compiled function returns, where
        only their position says what they are."""

        def placeholder(given: Input, value: Meta | None) -> Placeholder:
            own = self._placeholder(given)
            if isinstance(value, Scalar) and own.kind != "tangent":
                return Placeholder("symint", own.name, own.desc)
            return Placeholder("saved", own.name, own.desc) if saved and own.kind != "tangent" else own

        def output(given: Returned, index: int, count: int) -> Output:
            if given.desc and given.desc != "None":
                return self._output(given.desc)
            if outputs is not None and index >= outputs:
                return Output("saved")
            first = count - len(self.own)  # the last values of a joint or backward graph: a gradient for each input
            if gradients and 0 <= first <= index:
                return Output("gradient", name=self.own[index - first].name)
            return Output("user_output")

        return Named(placeholder, output)

    def _placeholder(self, given: Input) -> Placeholder:
        if given.desc:
            return self._described(given.desc, given.name)
        if given.name.startswith("tangents_"):
            return Placeholder("tangent", given.name)
        if (at := _POSITION.fullmatch(given.name)) is not None:  # torch before it printed descriptors
            index = int(at["primal"]) - 1 if at["primal"] else int(at["arg"])
            if 0 <= index < len(self.own):
                return self.own[index]
        return Placeholder("input", given.name)

    def _described(self, desc: str, name: str) -> Placeholder:
        text = desc[:MAX_DESC]
        if desc.startswith(("TangentAOTInput", "ForwardToken")):
            out = _OUTPUT.search(desc)
            kind: PlaceholderKind = "tangent" if desc.startswith("Tangent") else "token"
            return Placeholder(kind, f"output {out[1]}" if out else name, text)
        if found := _NAMED.search(desc):
            return Placeholder("parameter" if found["kind"] == "Param" else "buffer", found["name"], text)
        if (found := _PLAIN.search(desc)) and int(found[1]) < len(self.own):
            own = self.own[int(found[1])]
            if desc.startswith("PlainAOTInput"):
                return Placeholder(own.kind, own.name, f"{text}, {own.desc}" if own.desc else text)
            return Placeholder("other", own.name, text)
        return Placeholder("input" if desc.startswith("PlainAOTInput") else "other", name, text)

    def _output(self, desc: str) -> Output:
        text = desc[:MAX_DESC]
        if desc.startswith("PlainAOTOutput"):
            return Output("user_output", desc=text)
        if desc.startswith("SavedForBackwards"):
            return Output("saved", desc=text)
        of = self._described(desc.split("=", 1)[1], "") if "=" in desc else Placeholder("other")
        if desc.startswith("GradAOTOutput"):
            return Output("gradient", name=of.name, desc=text)
        if desc.startswith("InputMutationAOTOutput"):
            return Output(_MUTATION.get(of.kind, "input_mutation"), name=of.name, desc=text)
        return Output("token" if "Token" in desc else "other", desc=text)


def inputs_of(placeholders: Sequence[Placeholder | None]) -> Inputs:
    """Of the placeholders of Dynamo's or the pre-grad graph."""
    return Inputs(tuple(each or Placeholder("input") for each in placeholders))


def _kind(source: str) -> PlaceholderKind:
    if "._parameters[" in source:
        return "parameter"
    if "._buffers[" in source:
        return "buffer"
    if source.startswith("G[") or ".cell_contents" in source:
        return "constant"
    return "input"
