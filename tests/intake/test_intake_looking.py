"""What is read of code before it is run: classes, the rule that would apply, guessed inputs, what cannot be read."""

from __future__ import annotations

import pytest

from graphcap.errors import UserError
from graphcap.graph.inputs import parse_inputs
from graphcap.intake.accept import accept_code, accept_files
from graphcap.intake.options import decode_options
from graphcap.intake.reading.look import Look, look
from graphcap.intake.upload import Upload
from graphcap.settings import Settings

MODELS = """\
import torch
import torch.nn as nn
from dataclasses import dataclass

@dataclass
class Config:
    vocab: int = 1000
    dim: int = 64

class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
    def forward(self, x): return x + self.norm(x)

class GPT(nn.Module):
    def __init__(self, config=Config(), deep: int = 2):
        super().__init__()
        self.wte = nn.Embedding(config.vocab, config.dim)
        self.blocks = nn.ModuleList([Block(config.dim) for _ in range(deep)])
    def forward(self, ids, targets=None):
        x = self.wte(ids)
        for block in self.blocks: x = block(x)
        return x

class Encoder(nn.Module):
    def __init__(self, n, /, dim, *, wide=2):
        super().__init__()
        self.blocks = nn.ModuleList([Block(dim * wide) for _ in range(n)])
    def forward(self, x, flag: bool, other):
        b, t, c = x.shape
        for block in self.blocks: x = block(x)
        return x

class Cnn(nn.Module):
    def __init__(self, channels: int, classes=10):
        super().__init__()
        hidden = channels * 2
        self.features = nn.Sequential(nn.ReLU(), nn.Conv2d(channels, hidden, 3), nn.Flatten())
    def forward(self, image): return self.features(torch.relu(image * 2))
"""


def seen(code: str, **texts: str) -> Look:
    return look(accept_code(code, None, None, Settings()), texts)


def test_classes_are_listed_with_their_signatures() -> None:
    found = {each.name: each for each in seen(MODELS).classes}
    assert list(found) == ["Block", "GPT", "Encoder", "Cnn"]
    assert [(p.name, p.kind, p.annotation, p.default, p.required) for p in found["Encoder"].constructor] == [
        ("n", "positional", "", "", True),
        ("dim", "usual", "", "", True),
        ("wide", "keyword", "", "2", False),
    ]
    assert [(p.name, p.annotation, p.default) for p in found["GPT"].constructor] == [
        ("config", "", "Config()"),
        ("deep", "int", "2"),
    ]
    assert seen(MODELS).outermost == ("GPT", "Encoder", "Cnn")


@pytest.mark.parametrize(
    ("construct", "guessed"),
    [
        ("GPT()", "ids: i64[2, 16] < 1000"),
        ("GPT(Config(vocab=50))", "ids: i64[2, 16] < 50"),
        ("Encoder(3, dim=8)", "x: f32[2, 16, 16], flag: True, other: f32[2, 3]"),
        ("Cnn(1)", "image: f32[2, 1, 32, 32]"),
        ("Block(7)", "x: f32[2, 16, 7]"),
    ],
)
def test_inputs_are_guessed_from_the_first_layers_they_meet(construct: str, guessed: str) -> None:
    found = seen(MODELS, construct=construct)
    assert (found.guessed, found.needs, found.rule) == (guessed, ("inputs",), "construct")


def test_the_default_of_a_config_that_is_only_given_by_name_is_read() -> None:
    lines = (
        "def __init__(self, *, config=Config()): self.head = nn.Linear(config.dim, 1)",
        "def forward(self, x): return self.head(x)",
    )
    code = MODELS + "".join(["class Named(nn.Module):\n", *(f"    {line}\n" for line in lines)])
    assert seen(code, construct="Named()").guessed == "x: f32[2, 64]"


def test_a_guess_says_where_it_comes_from() -> None:
    (x, flag, other) = seen(MODELS, construct="Encoder(3, 8)").guesses
    assert (x.why, x.told) == ("LayerNorm in line 13 takes it", True)
    assert flag.why == "it is annotated as bool"
    assert (other.why, other.told) == ("nothing tells its shape", False)


def of_forward(signature: str, body: str, before: str = "") -> Look:
    return seen(
        f"import torch\nfrom torch import nn, Tensor\n{before}class Net(nn.Module):\n    def __init__(self):\n"
        "        super().__init__()\n        self.a = nn.Embedding(50, 4)\n        self.b = nn.Linear(4, 2)\n"
        f"    def forward(self, {signature}):\n        {body}\n"
    )


@pytest.mark.parametrize(
    ("signature", "body", "guessed"),
    [
        (
            "batch",
            "return self.b(batch['mask'] * self.a(batch['ids']))",
            "batch: {'mask': f32[2, 4], 'ids': i64[2, 16] < 50}",
        ),
        ("batch: dict[str, Tensor]", "ids = batch['ids']; return self.a(ids)", "batch: {'ids': i64[2, 16] < 50}"),
        ("xs: list[torch.Tensor]", "return [self.b(x) for x in xs]", "xs: [f32[2, 3], f32[2, 3]]"),
        ("xs: list[Tensor]", "return self.b(xs[0])", "xs: [f32[2, 4], f32[2, 4]]"),
        ("xs: tuple[Tensor, Tensor, Tensor]", "return self.b(xs[0])", "xs: (f32[2, 4], f32[2, 4], f32[2, 4])"),
        ("xs: Tuple[Tensor, ...]", "return self.b(xs[0])", "xs: (f32[2, 4], f32[2, 4])"),
        ("mask=None, ids=None, labels=None", "return self.b(self.a(ids)) if mask is None else mask", "ids: i64[2, 16] < 50"),
        ("deep=None", "return deep", ""),
        ("xs: list[int], n: int", "return self.b(xs[0])", "xs: f32[2, 4], n: 1"),
    ],
)
def test_lists_and_dicts_are_guessed_from_annotations_and_keys(signature: str, body: str, guessed: str) -> None:
    found = of_forward(signature, body)
    assert found.guessed == guessed
    assert not found.problems and bool(parse_inputs(found.guessed)) == bool(guessed)
    assert found.needs == (("inputs",) if "None" not in signature else ())


@pytest.mark.parametrize(
    ("record", "annotation"),
    [
        ("@dataclass\nclass Batch:", "Batch"),
        ("@dataclasses.dataclass(frozen=True)\nclass Batch:", "'Batch'"),
        ("class Batch(NamedTuple):", "Batch"),
        ("class Batch(typing.NamedTuple):", "Batch"),
    ],
)
def test_a_record_is_guessed_by_its_fields(record: str, annotation: str) -> None:
    fields = "    ids: Tensor\n    n: int\n    mask: Tensor\n    more: int = 3\n"
    look = of_forward(f"batch: {annotation}", "return self.a(batch.ids) * batch.mask", f"{record}\n{fields}")
    assert look.guessed == "batch: {'ids': i64[2, 16] < 50, 'n': 1, 'mask': f32[2, 3]}"


@pytest.mark.parametrize(
    ("body", "guessed"),
    [
        ("for x in xs: y = self.b(x)", "xs: [f32[2, 4], f32[2, 4]]"),
        ("for x in xs: y = self.b(x[None])", "xs: [f32[4], f32[4]]"),
        ("for i, x in enumerate(xs): y = self.b(x.unsqueeze(0))", "xs: [f32[4], f32[4]]"),
    ],
)
def test_what_a_loop_goes_over_is_of_what_its_layer_takes(body: str, guessed: str) -> None:
    assert of_forward("xs: list[Tensor]", body).guessed == guessed


CONFIGS = {
    "dataclass": "@dataclass\nclass Config:\n    dim: int = 7\n",
    "constructor": "class Config:\n    def __init__(self, dim=7, **more):\n        self.dim = dim\n",
}
CONFIGURED = """class Net(nn.Module):
    def __init__(self, config: Config):
        self.a = nn.Linear(config.dim, 2)
    def forward(self, x=None):
        return self.a(x)
"""


@pytest.mark.parametrize("config", CONFIGS)
def test_a_config_with_defaults_is_made_by_itself(config: str) -> None:
    found = seen(f"import torch\nfrom torch import nn\n{CONFIGS[config]}{CONFIGURED}")
    assert (found.rule_text, found.needs) == ("the class Net, made with config=Config()", ())
    assert found.guessed == "x: f32[2, 7]"
    needing = seen(
        f"import torch\nfrom torch import nn\n{CONFIGS[config].replace('=7', '').replace(' = 7', '')}{CONFIGURED}"
    )
    assert needing.needs == ("construct",)


def test_where_all_inputs_may_be_left_out_the_first_is_guessed() -> None:
    assert of_forward("ids=None, mask=None, **more", "return self.a(ids)").guessed == "ids: i64[2, 16] < 50"
    assert of_forward("ids=None, scale=2", "return ids").guessed == ""


def test_a_guess_of_a_dict_says_where_each_of_it_comes_from() -> None:
    (batch,) = of_forward("batch", "return self.a(batch['ids']) + batch['bias']").guesses
    assert batch.why == "'ids': Embedding in line 6 takes it; 'bias': nothing tells its shape"


@pytest.mark.parametrize(
    ("code", "rule", "words", "needs"),
    [
        ("model = Cnn(3)\nexample_args = ()", "named", "`model` and `example_args`", ()),
        ("f = torch.compile(GPT())\n", "calls", "torch.compile in line 41", ()),
        ("from torch.export import export as e\ne(GPT(), ())", "calls", "torch.export.export in line 42", ()),
        ("@torch.compile(dynamic=True)\ndef f(x): return x\nf(3)", "calls", "torch.compile in line 41", ()),
        ("GPT()(3)", "called", "the modules that the script calls, first GPT(...) in line 41", ()),
        ("def go(x):\n m = Cnn(3).to(x)\n for _ in x: m(x)\nif x: go(1)", "called", "first m in line 43", ()),
        ("def go(x):\n m = Cnn(3)\n m(x)\n", "class", "the class GPT", ("inputs",)),
        ("net = Cnn(3).eval()", "variable", "`net`", ("inputs",)),
        ("", "class", "the class GPT, made without arguments", ("inputs",)),
    ],
)
def test_the_rule_that_would_apply(code: str, rule: str, words: str, needs: tuple[str, ...]) -> None:
    found = seen(MODELS + code)
    assert (found.rule, found.needs) == (rule, needs) and words in found.rule_text


def test_what_is_needed_where_no_rule_applies() -> None:
    found = seen("import torch\nclass Net(torch.nn.Module):\n    def __init__(self, n): pass\n")
    assert (found.rule, found.needs, found.rule_text) == ("", ("construct",), "Net: constructor arguments are needed")
    assert seen("x = 1").rule_text.startswith("nothing in the code can be captured: no class on top of nn.Module")


def test_what_cannot_be_read_is_told_with_its_place() -> None:
    found = seen(MODELS, inputs="x: f33[2]", second_inputs="x: f32[1]", construct="Cnn(1")
    assert [(p.field, p.offset) for p in found.problems] == [("inputs", 3), ("construct", -1)]
    assert "'(' was never closed" in found.problems[1].message
    (wrong,) = seen("import torch\ndef f(:\n").problems
    assert (wrong.field, wrong.line) == ("code", 2)
    with pytest.raises(UserError, match="construct"):
        decode_options({"construct": "Cnn[0]"})
    (wrong,) = seen(MODELS, construct="Cnn").problems
    assert wrong.message == "Cnn is a class: write how it is made, Cnn(...)"


FUNCTIONS = """\
import torch, functools
def told(function):
    @functools.wraps(function)
    def inner(*args): return function(*args)
    return inner
def scale(x, by=2): return x * by
@told
def loss(logits, labels, weight: float, *, reduce=True):
    return torch.nn.functional.cross_entropy(scale(logits), labels) * weight
def pairs(x): yield x
def main(): print(loss(torch.ones(1, 2), torch.ones(1), 2.0))
"""


def test_the_outermost_function_is_told_where_there_is_no_class() -> None:
    found = seen(FUNCTIONS)
    assert (found.rule, found.rule_text, found.needs) == ("function", "the function loss", ("inputs",))
    assert found.guessed == "logits: f32[2, 3], labels: i64[2], weight: 1.0"
    assert [each.name for each in found.functions] == ["told", "scale", "loss"]
    assert [p.name for p in found.functions[2].parameters] == ["logits", "labels", "weight", "reduce"]


def test_one_of_several_functions_has_to_be_chosen() -> None:
    found = seen("def f(x): return x\ndef g(a, b): return a + b\n")
    assert (found.rule, found.rule_text) == ("", "several functions could be meant: f, g")
    assert found.needs == ("construct",)


def test_a_function_or_a_variable_is_chosen_by_its_name() -> None:
    found = seen(MODELS + FUNCTIONS + "net = Cnn(5)\n", construct="scale")
    assert (found.rule_text, found.guessed, found.needs) == ("scale, as given", "x: f32[2, 3]", ("inputs",))
    assert found.construct and (found.construct.name, found.construct.called) == ("scale", False)
    assert seen(MODELS + "net = Cnn(5)\n", construct="net").guessed == "image: f32[2, 5, 32, 32]"
    assert decode_options({"construct": "lib.scale"}).construct == "lib.scale"


def test_a_compiled_function_that_nothing_calls_needs_inputs() -> None:
    code = "import torch\n@torch.compile\ndef f(x): return x\n"
    assert (seen(code).rule, seen(code).needs) == ("function", ("inputs",))
    assert seen(f"{code}f(torch.ones(1))").rule == "calls"


def test_construct_is_taken_apart_by_parameter() -> None:
    made = seen(MODELS, construct="Cnn(3, classes=[1, 2])").construct
    assert made and [(a.name, a.text) for a in made.arguments] == [("channels", "3"), ("classes", "[1, 2]")]


@pytest.mark.parametrize(
    "code", ["(" * 5000, "-" * 100_000 + "1", "x" + ".y" * 50_000, "1" + "+1" * 50_000, "a=" * 20_000 + "1"]
)
def test_code_that_is_made_to_break_the_reader_is_told_or_read(code: str) -> None:
    assert isinstance(seen(code), Look)
    assert isinstance(seen(f"import torch\nclass N(torch.nn.Module):\n def __init__(s, a=1+{code[:9000]}): pass"), Look)


def test_classes_that_the_entry_imports_are_found_in_the_other_files() -> None:
    files = [Upload("main.py", b"from net import Net\n"), Upload("net.py", MODELS.replace("Cnn", "Net").encode())]
    found = look(accept_files(files, {"entry": "main.py"}, Settings()), {"construct": "Net(3)"})
    assert [each.name for each in found.classes] == ["Net"] and found.guessed == "image: f32[2, 3, 32, 32]"


def test_a_program_is_named_for_what_it_is() -> None:
    found = look(accept_files([Upload("w.safetensors", b"\x02\0\0\0\0\0\0\0{}")], None, Settings()), {})
    assert (found.kind, found.rule) == ("weights", "") and "add the code" in found.rule_text


def test_a_saved_module_is_told_to_need_inputs() -> None:
    pickled = Upload("m.pkl", b"\x80\x02cnet\nNet\n.")

    def need(*files: Upload, **texts: str) -> tuple[str, ...]:
        return look(accept_files([pickled, *files], None, Settings()), texts).needs

    assert need() == ("inputs",)
    assert need(inputs="f32[2]") == need(Upload("net.py", b"example_args = ()")) == ()
    assert "in the field Inputs" in look(accept_files([pickled], None, Settings()), {}).rule_text
