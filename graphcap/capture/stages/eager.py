"""Route `eager`: the ATen calls that plain PyTorch makes in a forward and a backward, as a graph of their own."""

from __future__ import annotations

from graphcap.capture.record import Recorder
from graphcap.capture.stages.route import Emit, Loaded
from graphcap.graph.document import Options, Stage


def run_eager(target: Loaded, options: Options, recorder: Recorder, emit: Emit) -> None:
    """Emits `eager`."""
    emit.started("eager")
    emit.ended(Stage("eager", "skipped", reason="being written"))
