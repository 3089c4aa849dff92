from __future__ import annotations

import random

import pytest

from graphcap.analyses.guards.access import MAX_PARTS, named_in, parts


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("", []),
        ("L['x']", ["L['x']"]),
        ("L['self'].cfg.mode", ["L['self']", ".cfg", ".mode"]),
        ("L['self']._modules['0']._parameters['bias']", ["L['self']", "._modules", "['0']", "._parameters", "['bias']"]),
        ("L['x'].size()[0]", ["L['x']", ".size()", "[0]"]),
        ("type(L['self']).__mro__[0]", ["L['self']", "type(…)", ".__mro__", "[0]"]),
        ("list(dict.keys(L['d']))[0]", ["L['d']", "dict.keys(…)", "list(…)", "[0]"]),
        ("getattr(L['self'], 'odd, name').x", ["L['self']", "getattr(…, 'odd, name')", ".x"]),
        ("dict.__getitem__(G['d'], 'k')", ["G['d']", "dict.__getitem__(…, 'k')"]),
        ("L['d'][\"it's ]\"].y", ["L['d']", '["it\'s ]"]', ".y"]),
        ("__import__('os').path", ["__import__('os')", ".path"]),
        ("___stack_at(0)", ["___stack_at(0)"]),
        ("(1, L['x'])", ["(1, L['x'])"]),
        ("L['a'](", ["L['a']", "("]),
        ("L['a", ["L['a"]),
        ("L['a'] + 1", ["L['a']", " + 1"]),
    ],
)
def test_the_parts_of_a_source(source: str, texts: list[str]) -> None:
    assert [part.text for part in parts(source)] == texts


def test_every_part_has_the_source_up_to_it() -> None:
    found = parts("type(L['self']).a[0]")
    assert [part.source for part in found] == ["L['self']", "type(L['self'])", "type(L['self']).a", "type(L['self']).a[0]"]


def test_whatever_stands_there_is_taken_apart_and_the_last_part_has_it_whole() -> None:
    rng = random.Random(0)
    pieces = ["L['x']", "G['y']", ".a", "['k']", "[0]", "(", ")", "type(", "list(", ", ", "'", '"', "]", "[", "é", "\\", " "]
    for _ in range(3000):
        source = "".join(rng.choice(pieces) for _ in range(rng.randint(1, 12)))
        found = parts(source)
        assert found[-1].source == source
        assert all(part.text for part in found)


@pytest.mark.parametrize("source", ["L['x']" + "[0]" * 1_000, "type(" * 600 + "L['x']" + ")" * 600, "((" * 1_900])
def test_a_hostile_source_has_few_parts(source: str) -> None:
    assert len(parts(source)) <= 2 * MAX_PARTS + 2


@pytest.mark.parametrize(
    ("code", "source"),
    [
        ("2 <= L['x'].size()[0]", "L['x'].size()[0]"),
        ("Eq(L['x'].size()[0], 4)", "L['x'].size()[0]"),
        ("L['a'] + G['b'] < 3", "L['a']"),
        ("torch.L[0]", ""),
        ("", ""),
    ],
)
def test_the_source_that_a_check_names(code: str, source: str) -> None:
    assert named_in(code) == source


def test_a_source_of_megabytes_is_one_part() -> None:
    source = "L['x']" + "[0]" * 1_000_000
    (part,) = parts(source)
    assert part.source == source and len(part.text) < 10_000
