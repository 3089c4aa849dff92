from __future__ import annotations

import random

import msgspec
import pytest

from graphcap.graph import schema
from graphcap.graph.codec import DocumentError, decode, decode_versioned, encode
from graphcap.graph.document import (
    SCHEMA,
    Atom,
    Cut,
    File,
    Frame,
    Graph,
    GraphDocument,
    Map,
    Module,
    Node,
    Options,
    Ref,
    Scalar,
    Seq,
    Stage,
    Target,
    TensorMeta,
    Tuple,
)

GRAPH = Graph(
    id="export.0",
    title="export",
    fragment=0,
    nodes=(
        Node("x", "placeholder", "x", value=TensorMeta("float32", (2, "s0"), (3, "2*s0+1"))),
        Node(
            "pair",
            "call_function",
            "aten.max.dim",
            (Ref(0), 1),
            value=Tuple("tuple", (Scalar("NoneType", "None"),)),
            stack=0,
        ),
        Node(
            "output", "output", "output", (Seq("tuple", (Ref(1), None, True, 2, 2.5, "text", Atom("dtype", "torch.int8"))),)
        ),
        Node("last", "call_function", "f", kwargs=(("k", Map((("a", Cut("list", 9999, "[1, 2")),))),), module=0),
    ),
    frames=(Frame("model.py", 3, "forward", "return x", True),),
    stacks=((0,),),
    modules=((Module("", "M"), Module("seq.0", "Linear")),),
)
DOCUMENT = GraphDocument(
    SCHEMA,
    "2.13.0",
    (File("model.py", 3, "x=1"),),
    Options(),
    (Target("t1", "m", "rule", (Stage("export", "done", graphs=(GRAPH,)),)),),
)


def test_a_document_comes_back_as_it_was() -> None:
    assert decode_versioned(encode(DOCUMENT), GraphDocument) == DOCUMENT


def test_the_checked_in_schema_is_the_generated_one() -> None:
    assert schema.PATH.read_text(encoding="utf-8") == schema.generate(), "run: python -m graphcap.graph.schema"


@pytest.mark.parametrize("version", ["graphcap/2", "graphcap/99"])
def test_a_newer_major_version_is_refused_by_name(version: str) -> None:
    data = encode(msgspec.structs.replace(DOCUMENT, schema=version))
    with pytest.raises(DocumentError, match=f"{version}.*reads {SCHEMA}"):
        decode_versioned(data, GraphDocument)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"schema":"graphcap/1","torch":1}',
        b'{"schema":"netron/1"}',
        b'{"schema":"graphcap/1","torch":"","files":[],"options":{},"extra":1}',
        b'{"schema":"graphcap/1","torch":"","files":[],"options":{"mode":"fast"}}',
        b'{"schema":"graphcap/1","torch":"","files":[{"name":"a","size":1e999}],"options":{}}',
        b'{"schema":"graphcap/1","torch":"","files":[{"name":"a","size":NaN}],"options":{}}',
        b'{"schema":"graphcap/1","torch":"\\ud800","files":[],"options":{}}',
        b'{"schema":"graphcap/1","torch":"","files":[],"options":' + b"[" * 100_000,
    ],
)
def test_what_is_no_document_is_refused(data: bytes) -> None:
    with pytest.raises(DocumentError):
        decode_versioned(data, GraphDocument)


def test_deep_arguments_are_refused_not_followed() -> None:
    node = b'{"name":"x","op":"output","target":"o","args":[' + b'{"k":"seq","type":"list","items":[' * 50_000
    with pytest.raises(DocumentError):
        decode(b'{"id":"export.0","title":"","fragment":0,"nodes":[' + node, Graph)


def test_mutated_bytes_are_decoded_or_refused_never_more() -> None:
    rng = random.Random(0)
    data = encode(DOCUMENT.targets[0].stages[0])
    refused = 0
    for _ in range(3000):
        mutated = bytearray(data)
        for _ in range(rng.randint(1, 6)):
            mutated[rng.randrange(len(mutated))] = rng.randrange(256)
        try:
            decode(bytes(mutated), Stage)
        except DocumentError:
            refused += 1
    assert refused > 1000
