"""What a submission holds before it is run: its models with their signatures, the rule that would apply, guessed inputs."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

import msgspec

from graphcap.graph.inputs import FIELD, InputsError, parse_inputs
from graphcap.intake.budget import Budget
from graphcap.intake.reading.attributes import Names, names_of
from graphcap.intake.reading.classes import MAX_CLASSES, ModelClass, model_nodes, outermost, read_class, text_of
from graphcap.intake.reading.expression import Construction, read_construct
from graphcap.intake.reading.functions import Function, read_function
from graphcap.intake.reading.guess import Guess, guess_inputs, guess_of_function, guess_of_layer
from graphcap.intake.reading.parsed import Fault, parse
from graphcap.intake.reading.rules import Rule, told_rule
from graphcap.intake.submission import Submission

MAX_READ = 50  # files of code beside the entry that are looked into
MAX_PARSED = 4 << 20  # bytes of them together
MAX_GUESSED = 256 << 10  # bytes of code that is read for hints alone, which takes up to half a second


class Unreadable(msgspec.Struct, frozen=True):
    """Something that cannot be read: in which field, and how many characters stand before the place (-1: no one place)."""

    field: str  # inputs | second_inputs | construct | code
    message: str
    offset: int = -1
    line: int = 0


class Argument(msgspec.Struct, frozen=True):
    """One argument of `construct` as it is written; `name` "" for those by place that no parameter is known for."""

    name: str
    text: str


class Made(msgspec.Struct, frozen=True):
    """The option `construct`, taken apart."""

    name: str
    arguments: tuple[Argument, ...]
    called: bool = True  # False: the name alone, of a function or of a model that is made already


class Look(msgspec.Struct, frozen=True):
    """All of it. `entries`: the files to choose from, where several could be meant; then nothing else is known.

    `rule` names the rule (construct | named | calls | variable | class | function | program | log, "" none yet),
    `rule_text` says it. `needs`: what has to be given before anything is captured: entry, construct, inputs. `guessed` is
    the *inputs* field. `functions`: those that take something.
    """

    kind: str = ""
    entry: str = ""
    files: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    rule: str = ""
    rule_text: str = ""
    needs: tuple[str, ...] = ()
    classes: tuple[ModelClass, ...] = ()
    outermost: tuple[str, ...] = ()
    functions: tuple[Function, ...] = ()
    construct: Made | None = None
    guesses: tuple[Guess, ...] = ()
    guessed: str = ""
    problems: tuple[Unreadable, ...] = ()


OTHERS = {
    "pt2": ("program", "the exported program, with the inputs given, else those it carries"),
    "torchscript": ("program", "the TorchScript program"),
    "pickle": ("program", "the pickled module, opened in the jail"),
    "weights": ("", "weights alone have no graph: add the code that builds the model"),
    "log": ("log", "the graphs that the log holds"),
}


def look(submission: Submission, texts: Mapping[str, str]) -> Look:
    """`texts`: the options `inputs`, `second_inputs` and `construct` as they are typed, right or wrong."""
    problems = [*_wrong_inputs(texts)]
    named: dict[str, Any] = {
        "kind": submission.kind,
        "entry": submission.entry,
        "files": tuple(file.name for file in submission.files),
    }
    try:
        construct = read_construct(texts.get("construct", ""))
    except ValueError as error:
        construct, problems = None, [*problems, Unreadable("construct", str(error))]
    if submission.kind not in ("py", "ipynb"):
        rule, text = OTHERS[submission.kind]
        needs = ("inputs",) if _wants_inputs(submission, texts) else ()
        told = f"{text}; it needs inputs: in {FIELD}, or as `example_args` in a file beside it" if needs else text
        return Look(**named, rule=rule, rule_text=told, needs=needs, problems=tuple(problems))
    code = submission.files[1 if submission.kind == "ipynb" else 0].data
    tree = parse(code)
    if isinstance(tree, Fault):
        wrong = Unreadable("code", tree.message, line=tree.line)
        return Look(**named, rule_text="Python can not read the code", problems=(*problems, wrong))
    return _python(tree, submission, construct, texts, problems, named)


def guessed_inputs(submission: Submission) -> dict[str, str]:
    """For hints: what `look` guesses of each input that the code tells anything of; nothing where inputs are given."""
    options = submission.options
    size = sum(len(file.data) for file in submission.files if file.name.endswith(".py"))
    if options.inputs.strip() or submission.kind not in ("py", "ipynb") or size > MAX_GUESSED:
        return {}
    guesses = look(submission, {"construct": options.construct}).guesses
    return {guess.name: guess.text for guess in guesses if guess.told}


def _wants_inputs(submission: Submission, texts: Mapping[str, str]) -> bool:
    """Modules carry none. Only opening one tells whether it takes any, as nearly all do."""
    if submission.kind not in ("torchscript", "pickle") or texts.get("inputs", "").strip():
        return False
    return not any(file.name.endswith(".py") and b"example_args" in file.data for file in submission.files)


def _python(
    tree: ast.Module,
    submission: Submission,
    construct: Construction | None,
    texts: Mapping[str, str],
    problems: list[Unreadable],
    named: dict[str, Any],
) -> Look:
    imported, others = _imported(tree, submission)
    models = model_nodes(tree) | imported
    names = names_of(tree, models, others)
    if construct and not construct.called and construct.name in models:
        said = f"{construct.name} is a class: write how it is made, {construct.name}(...)"
        construct, problems = None, [*problems, Unreadable("construct", said)]
    rule = told_rule(tree, construct, names)
    guesses = _guesses(rule, names)
    made = models.get(rule.made.name) if rule.made else None
    needed = made is None or any(each.required for each in read_class(made, models).forward)
    functions = tuple(each for each in map(read_function, names.functions.values()) if each.parameters)
    to_choose = not rule.id and (models or any(each.needs for each in functions))
    wanting = (to_choose, guesses and needed and not texts.get("inputs", "").strip())
    return Look(
        **named,
        rule=rule.id,
        rule_text=rule.text,
        needs=tuple(need for need, wanted in zip(("construct", "inputs"), wanting, strict=True) if wanted),
        classes=tuple(read_class(node, models) for node in models.values())[:MAX_CLASSES],
        outermost=tuple(outermost(models)),
        functions=functions,
        construct=_apart(construct, models),
        guesses=guesses,
        guessed=", ".join(f"{each.name}: {each.text}".removeprefix(": ") for each in guesses),
        problems=tuple(problems),
    )


def _guesses(rule: Rule, names: Names) -> tuple[Guess, ...]:
    if rule.made is None or rule.ready:
        return ()
    if rule.made.name in names.models:
        return guess_inputs(names.models[rule.made.name], rule.made, names)
    if rule.made.name in names.functions and not rule.made.called:
        return guess_of_function(names.functions[rule.made.name], names)
    return guess_of_layer(rule.made, names)


def _imported(tree: ast.Module, submission: Submission) -> tuple[dict[str, ast.ClassDef], dict[str, ast.ClassDef]]:
    """Model classes of the other files that the entry imports by name, and the other classes, as of configs."""
    wanted = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    others = [file for file in submission.files if file.name.endswith(".py") and file.name != submission.entry][:MAX_READ]
    found, rest = dict[str, ast.ClassDef](), dict[str, ast.ClassDef]()
    budget = Budget(MAX_PARSED)
    for file in others if wanted else ():
        if budget.take(len(file.data)) and isinstance(other := parse(file.data), ast.Module):
            found |= {name: node for name, node in model_nodes(other).items() if name in wanted}
            classes = (node for node in other.body if isinstance(node, ast.ClassDef) and node.name in wanted)
            rest |= {node.name: node for node in classes if node.name not in found}
    return found, rest


def _apart(construct: Construction | None, models: Mapping[str, ast.ClassDef]) -> Made | None:
    """With the names of the parameters that arguments by place go to."""
    if construct is None:
        return None
    known = read_class(models[construct.name], models).constructor if construct.name in models else ()
    places = [each.name for each in known if each.kind in ("positional", "usual")]
    found = []
    for i, (name, value) in enumerate(construct.arguments):
        found.append(Argument(name or (places[i] if i < len(places) else ""), text_of(value)))
    return Made(construct.name, tuple(found), construct.called)


def _wrong_inputs(texts: Mapping[str, str]) -> list[Unreadable]:
    found = []
    for field in ("inputs", "second_inputs"):
        try:
            parse_inputs(texts.get(field, ""))
        except InputsError as error:
            found.append(Unreadable(field, str(error), -1 if error.offset is None else error.offset))
    return found
