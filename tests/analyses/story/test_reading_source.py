from __future__ import annotations

from textwrap import dedent

import pytest

from graphcap.analyses.story.source import MAX_LINES, MAX_TEXT, Source

CODE = dedent(
    '''\
    """A module."""
    import torch


    def outer(
        x,
        y=1,
    ):
        text = """
    def not_a_function():
        pass
    """

        def inner(z): return z

        async def later(z):
            # a comment
            return (z
                    + 1)

        if (x.sum() > 0
                and y):
            x = inner(x)
        return x


    class Net:
        def forward(self, x): return x
    '''
)


@pytest.fixture(scope="module")
def source() -> Source:
    return Source(CODE)


@pytest.mark.parametrize(
    ("line", "statement"),
    [
        (1, (1, 1)),
        (2, (2, 2)),
        (3, (3, 3)),
        (6, (5, 8)),
        (10, (9, 12)),
        (17, (17, 17)),
        (19, (18, 19)),
        (21, (21, 22)),
        (99, (99, 99)),
    ],
)
def test_the_statement_of_a_line(source: Source, line: int, statement: tuple[int, int]) -> None:
    assert source.statement(line) == statement


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (2, None),
        (5, "outer"),
        (10, "outer"),
        (14, "outer.inner"),
        (16, "outer.later"),
        (18, "outer.later"),
        (23, "outer"),
        (27, None),
        (28, "Net.forward"),
    ],
)
def test_the_function_of_a_line(source: Source, line: int, name: str | None) -> None:
    found = source.function(line)
    assert (found and found.name) == name


def test_a_function_goes_to_its_last_statement(source: Source) -> None:
    found = source.function(5)
    assert found is not None and (found.first, found.last) == (5, 24)


def test_empty_lines_at_the_ends_are_left_out(source: Source) -> None:
    assert list(source.trimmed(13, 15)) == [14]
    assert list(source.trimmed(3, 4)) == []


def test_lines_are_those_of_python() -> None:
    source = Source("a = 1\x0c\r\nb = '\u2028'\rc = 3")
    assert [source.text(i) for i in range(5)] == ["", "a = 1\x0c", "b = '\u2028'", "c = 3", ""]
    assert len(Source("x" * 1000).text(1)) == MAX_TEXT


@pytest.mark.parametrize("text", ["def f(:\n  '''", "x = (1,\n", "if x:\n        a\n    b\n", "\0", "def", "a\\"])
def test_what_is_no_python_has_lines_all_the_same(text: str) -> None:
    source = Source(text)
    assert source.text(1) == text.split("\n")[0]
    assert source.statement(1)[0] == 1


def test_what_comes_before_a_fault_counts() -> None:
    source = Source("def f():\n    x = (1,\n      2)\n    return x\n\ny = (\n")
    assert source.statement(3) == (2, 3)
    found = source.function(3)
    assert found is not None and found.name == "f"


def test_a_deep_file_does_no_harm() -> None:
    nested = "\n".join(f"{' ' * i}def f{i}():" for i in range(500)) + "\n" + " " * 500 + "pass\n"
    for text in ("(" * 20_000, nested, "x = 1\n" * (MAX_LINES + 1), "-" * 20_000):
        source = Source(text)
        assert source.statement(1)[0] == 1
        source.function(499)
