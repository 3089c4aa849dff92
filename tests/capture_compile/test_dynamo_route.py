"""Stage `dynamo` against plain torch.compile: fragments, breaks, names, guards, and every way to capture nothing."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import compile_models as models
import pytest
import torch
from compile_forks import dynamo, in_fork, inputs, names, own, raw_fragments
from compile_models import X, line_of, target

from graphcap.capture.target.loaded import Loaded

pytestmark = pytest.mark.torch


def two_breaks() -> Loaded:
    return target(models.TwoBreaks(), X)


def test_fragments_are_those_of_torch_in_order() -> None:
    stage = dynamo(two_breaks)
    assert stage.status == "done"
    assert [names(graph) for graph in stage.graphs] == raw_fragments(two_breaks)
    assert [graph.id for graph in stage.graphs] == ["dynamo.0", "dynamo.1", "dynamo.2"]
    assert [graph.title for graph in stage.graphs] == [f"fragment {i} of 3" for i in (1, 2, 3)]


def test_a_break_has_its_reason_hints_line_and_fragments() -> None:
    first, second = dynamo(two_breaks).breaks
    assert first.reason == first.kind == "Failed to trace builtin operator"
    assert first.explanation.startswith("Dynamo does not know how to trace builtin operator `print`")
    assert any(hint.startswith("Avoid calling builtin `print`") for hint in first.hints)
    assert "Developer debug context" in first.text
    frame = first.frames[-1]
    assert (frame.file, frame.line, frame.function, frame.user) == ("models.py", line_of("break: one"), "forward", True)
    assert frame.code.startswith('print("one")')
    assert second.frames[-1].line == line_of("break: two")
    assert second.frames[-1].function == "forward"  # not the name of Dynamo's resume function
    assert [(first.before, first.after), (second.before, second.after)] == [(0, 1), (1, 2)]


def outer() -> Loaded:
    return target(models.Outer(), X)


def test_a_break_inside_a_called_function_is_one_break_with_the_whole_stack() -> None:
    stage = dynamo(outer)
    (only,) = stage.breaks
    assert [frame.line for frame in only.frames] == [line_of("break: outer"), line_of("break: inner")]
    assert (only.before, only.after) == (1, 2)  # the inner function's own fragments lie before and after it


def test_a_break_met_again_by_a_recompilation_ends_the_new_fragment_too() -> None:
    stage = dynamo(lambda: target(models.Recompiled(), X))
    assert len(stage.graphs) == 3
    assert [(one.before, one.after) for one in stage.breaks] == [(0, 1), (2, None)]


def test_parameters_of_inner_frames_have_the_whole_models_names() -> None:
    graph = dynamo(outer).graphs[1]
    weight = next(node for node in graph.nodes if node.placeholder and node.placeholder.kind == "parameter")
    assert weight.placeholder is not None
    assert weight.placeholder.name == "deep.0.linear.weight"
    assert weight.placeholder.desc == "L['self']._modules['linear']._parameters['weight']"


def test_a_branch_on_data_is_explained_although_the_reason_is_not() -> None:
    (only,) = dynamo(lambda: target(models.Branching(), X)).breaks
    assert only.reason == "generic_jump TensorVariable()"
    assert only.kind == "Data-dependent branching"
    assert only.explanation.startswith("Detected data-dependent branching")
    assert "Use `torch.cond` to express dynamic control flow." in only.hints
    assert only.frames[-1].line == line_of("break: branch")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: target(models.Recurrent(), X[:, None]), "Dynamo does not support RNN, GRU, or LSTM"),
        (lambda: target(torch.nn.LSTM(3, 4), X[:, None]), "Dynamo does not support RNN, GRU, or LSTM"),
        (lambda: target(models.Nothing(), X), "No ops traced for the FX graph"),
        (lambda: target(torch.sparse.mm, X.to_sparse(), X.t()), "torch.compile does not support sparse Tensors"),
    ],
)
def test_a_frame_skipped_whole_is_a_skipped_stage_with_torchs_reason(make: Any, words: str) -> None:
    stage = dynamo(make)
    assert (stage.status, stage.graphs) == ("skipped", ())
    assert stage.reason.startswith("Dynamo captured no graph")
    assert words in stage.reason


def test_the_reason_of_a_skipped_frame_names_the_persons_line() -> None:
    stage = dynamo(lambda: target(models.Recurrent(), X[:, None]))
    assert f"(models.py, line {line_of('break: lstm')})" in stage.reason
    (only,) = stage.breaks
    assert (only.before, only.after) == (None, None)


def looped() -> Loaded:
    return target(models.Looped(), X)


def test_a_function_left_to_eager_is_named_beside_what_was_captured() -> None:
    stage = dynamo(looped)
    assert stage.status == "done"
    assert [names(graph) for graph in stage.graphs] == raw_fragments(looped)
    assert stage.notes[0].startswith(f"Dynamo left forward (models.py, line {line_of('frame: looped')}) to eager Python")


def test_hooks_of_the_target_are_fragments_too() -> None:
    def hooked() -> Loaded:
        return target(models.Hooked(), X)

    found = [names(graph) for graph in dynamo(hooked).graphs]
    assert found == raw_fragments(hooked)
    assert len(found) == 2


def test_names_and_kinds_of_everything_read_from_outside() -> None:
    (graph,) = dynamo(lambda: target(models.Named(), X, {"a": [X.clone()]})).graphs
    assert set(inputs(graph).values()) == {
        ("input", "x"),
        ("input", "more_a_0"),
        ("parameter", "body.0.weight"),
        ("parameter", "body.1.weight"),
        ("parameter", "body.1.bias"),
        ("buffer", "body.1.running_mean"),
        ("buffer", "body.1.running_var"),
        ("buffer", "body.1.num_batches_tracked"),
        ("buffer", "seen"),
        ("constant", "plain"),
        ("constant", "SCALE"),
    }
    persistent = {node.placeholder.name: node.placeholder.persistent for node in graph.nodes if node.placeholder}
    assert persistent["seen"] is False
    assert persistent["body.1.running_mean"] is True
    assert persistent["x"] is None


def test_tied_weights_are_one_input_under_a_name_of_the_model() -> None:
    (graph,) = dynamo(lambda: target(models.Tied(), X)).graphs
    assert sorted(inputs(graph).values()) == [("input", "x"), ("parameter", "encode.weight")]


def configured() -> Loaded:
    return target(models.Configured(), X)


def test_a_guard_on_a_constant_has_its_check_and_the_persons_line() -> None:
    guards = {(guard.kind, guard.source): guard for guard in dynamo(configured).guards}
    mode = guards["CONSTANT_MATCH", "L['self'].config.mode"]
    assert mode.code == ("L['self'].config.mode == 'fast'",)
    assert mode.frame is not None
    assert (mode.frame.file, mode.frame.line) == ("models.py", line_of("guard: mode"))
    tensor = guards["TENSOR_MATCH", "L['x']"]
    assert tensor.code[0].startswith("check_tensor(L['x'], Tensor, ")
    assert tensor.code[0].endswith("size=[2, 3], stride=[3, 1])")


def test_guards_are_those_that_torch_exports() -> None:
    def raw() -> list[list[str]]:
        found: list[list[str]] = []

        def keep(guards: Any) -> None:
            found.extend([guard.inner_create_fn().__name__, guard.name] for guard in guards)

        model = configured()
        torch._dynamo.optimize("eager", guard_export_fn=keep)(model.model)(*model.args)
        return found

    theirs = {tuple(each) for each in in_fork(raw)}
    assert len(theirs) > 10
    assert {(guard.kind, guard.source) for guard in dynamo(configured).guards} == theirs


def test_an_op_without_a_fake_kernel_fails_with_torchs_words_and_the_line() -> None:
    stage = dynamo(lambda: target(models.NoFake(), X))
    assert (stage.status, stage.graphs) == ("failed", ())
    (failure,) = stage.failures
    assert "no fake impl registered for <CustomOpDef(compile_models::no_fake)>" in failure.message
    assert failure.frame is not None
    assert failure.frame.line == line_of("fails: no fake")


def test_an_exception_keeps_the_fragments_before_it() -> None:
    stage = dynamo(lambda: target(models.RaisesLater(), X))
    assert stage.status == "failed"
    assert len(stage.graphs) == 1
    (failure,) = stage.failures
    assert (failure.type, failure.message) == ("ValueError", "not today")
    assert failure.frame is not None
    assert (failure.frame.line, failure.frame.function) == (line_of("fails: later"), "forward")


def test_a_target_captured_whole_is_not_run() -> None:
    stage = dynamo(lambda: target(models.BrokenKernel(), X))
    assert (stage.status, stage.failures) == ("done", ())
    assert [graph.title for graph in stage.graphs] == ["target"]


def test_fullgraph_and_dynamic_of_the_scripts_own_call_count() -> None:
    whole = dynamo(lambda: target(models.TwoBreaks(), X, compile_kwargs={"fullgraph": True}))
    assert (whole.status, whole.failures[0].type) == ("failed", "Unsupported")
    (graph,) = dynamo(lambda: target(models.Sized(), X, compile_kwargs={"dynamic": True})).graphs
    assert ("symint", "x.size()[0]") in inputs(graph).values()


def test_a_target_without_inputs_is_skipped_with_the_reason() -> None:
    stage = dynamo(lambda: Loaded("t1", "program", None, missing="no example inputs"))
    assert (stage.status, stage.reason) == ("skipped", "no example inputs")


def test_torchs_warnings_become_notes_and_the_persons_are_printed(capfd: pytest.CaptureFixture[str]) -> None:
    stage = dynamo(lambda: target(models.Warned(), X))
    assert any(note.startswith("Pred is a Python constant.") for note in stage.notes)
    assert capfd.readouterr().err == ""

    def warns_itself() -> Loaded:
        warnings.showwarning = lambda message, *rest: print(message, file=sys.stderr)  # noqa: T201 - pytest's own hides them
        return target(models.WarnsItself(), X)

    assert dynamo(warns_itself).notes == ()
    assert capfd.readouterr().err.strip() == "the person's own warning"


def test_nothing_of_torchs_talk_about_breaks_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    dynamo(lambda: two_breaks())  # not the stage that other tests share
    out, err = capfd.readouterr()
    assert (out.split(), err) == (["one", "two"], "")


def test_an_exported_program_is_captured_as_its_module() -> None:
    def program() -> Loaded:
        exported = torch.export.export(models.Tied(), (X,))
        return target(exported.module(), X, program=exported)

    (graph,) = own(dynamo(program))
    assert ("parameter", "encode.weight") in inputs(graph).values()
