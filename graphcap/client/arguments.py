"""The arguments of the command `graphcap`."""

from __future__ import annotations

import argparse
from pathlib import Path

import graphcap
from graphcap.graph.document import RUN_STAGES

FORMATS = ("html", "txt", "json", "dot", "graphml", "pt2")

EXIT_CODES = """exit codes:
  0  captured, or done (a stage that failed says so; --strict makes that 1)
  1  nothing could be captured: no stage is done
  2  the arguments, a file or a server's answer: what was wrong and what to do is on standard error"""


def parser() -> argparse.ArgumentParser:
    """All commands with their options."""
    whole = argparse.ArgumentParser(
        prog="graphcap",
        description="See what PyTorch's compiler stack sees, stage by stage.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    whole.add_argument("--version", action="version", version=f"graphcap {graphcap.__version__}")
    commands = whole.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _capture(commands.add_parser("capture", help="capture a model in this environment, without a jail"))
    show = commands.add_parser("open", help="the viewer on this machine")
    show.add_argument("file", type=Path, help="a .graphcap file")
    show.add_argument("--port", type=int, default=0, help="default: a free one")
    show.add_argument("--no-browser", action="store_true", help="only say the address")
    push = commands.add_parser("push", help="upload a finished capture to a server, which runs nothing of it")
    push.add_argument("file", type=Path, help="a .graphcap file")
    push.add_argument("server", metavar="URL", help="http://localhost:8000")
    push.add_argument("--json", action="store_true", help="the answer as JSON: url, id, delete_token")
    _export(commands.add_parser("export", help="the viewer as one HTML file, or one graph in another format"))
    serve = commands.add_parser("serve", help="the server, for the submissions of this machine's own browser")
    serve.add_argument("--host", default="127.0.0.1")
    serve.add_argument("--port", type=int, default=8000)
    return whole


def _capture(command: argparse.ArgumentParser) -> None:
    command.add_argument("files", nargs="+", type=Path, metavar="FILE", help="what to capture; of several see --entry")
    command.add_argument("-o", "--output", type=Path, help="default: NAME.graphcap beside you")
    command.add_argument("--inputs", default="", help="what to call the model with: 'x: f32[2, 3]; ids: i64[1, 8] < 100'")
    command.add_argument("--second-inputs", default="", help="the same for a second call: what torch compiles anew")
    command.add_argument("--construct", default="", help="how the model is made, 'Net(10, hidden=64)', or a function's name")
    command.add_argument(
        "--programs", default="", metavar="FOLDER", help="gets exported programs as .pt2 with their weights"
    )
    command.add_argument("--entry", default="", help="of several files the one to capture")
    command.add_argument("--mode", choices=("as_written", "train", "eval"), default="as_written")
    command.add_argument("--decompositions", choices=("none", "core_aten"), default="none")
    command.add_argument("--partitioner", choices=("min_cut", "default"), default="min_cut")
    command.add_argument("--meta", action="store_true", help="parameters without memory, for huge models")
    command.add_argument(
        "--parameter-statistics", action="store_true", help="min, max, mean, ... of each parameter are kept; values never"
    )
    command.add_argument("--stages", default="", help=f"with commas, of {', '.join(RUN_STAGES)}; default: all")
    command.add_argument("--timeout", type=float, default=3600.0, metavar="SECONDS", help="of each route; default: 3600")
    command.add_argument("--json", action="store_true", help="a summary as JSON on standard output; no progress")
    command.add_argument("--quiet", action="store_true", help="no progress, nothing of what the code prints")
    command.add_argument("--strict", action="store_true", help="exit code 1 also where a stage failed")


def _export(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path, help="a .graphcap file")
    command.add_argument("--format", choices=FORMATS, default="html")
    command.add_argument("--graph", default="", metavar="GID", help="which graph, as export.0; all formats but html need it")
    command.add_argument("-o", "--output", type=Path, help="default: standard output")
