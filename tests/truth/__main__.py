"""`python -m tests.truth [PART OF A CASE'S ID ...]`: the comparison as a table of counts, and what differs."""

from __future__ import annotations

import sys
from collections import Counter
from typing import get_args

from tests.truth.compared import Comparison, Verdict, compare_stage
from tests.truth.processes import Runs
from tests.truth.sources import FOLDERS, STAGES, Case, cases

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


def main(wanted: list[str]) -> int:
    """The exit code: 1 when something differs."""
    chosen = [case for case in cases() if not wanted or any(part in case.id for part in wanted)]
    runs = Runs()
    for case in chosen:
        runs.ask(case)
    found = {(case, stage): compared(runs, case, stage) for case in chosen for stage in STAGES}
    runs.close()
    say(f"{len(chosen)} models x {len(STAGES)} stages\n")
    table("stage", STAGES, [(stage, comparison.verdict) for (_, stage), comparison in found.items()])
    table("models", tuple(FOLDERS), [(case.id.split("/")[0], c.verdict) for (case, _), c in found.items()])
    different = {key: comparison for key, comparison in found.items() if comparison.verdict == "different"}
    for (case, stage), comparison in different.items():
        say(f"{case.id} {stage}\n" + "\n".join(comparison.differences) + "\n")
    return 1 if different else 0


def compared(runs: Runs, case: Case, stage: str) -> Comparison:
    """A side that died differs."""
    try:
        return compare_stage(stage, runs.torch(case), runs.graphcap(case))
    except AssertionError as error:
        return Comparison("different", (str(error),))


def table(head: str, rows: tuple[str, ...], verdicts: list[tuple[str, Verdict]]) -> None:
    """Counts by row and verdict, in Markdown."""
    counts = Counter(verdicts)
    say(f"| {head} | " + " | ".join(VERDICTS) + " |")
    say("|---" * (len(VERDICTS) + 1) + "|")
    for row in rows:
        say(f"| {row} | " + " | ".join(str(counts[row, verdict]) for verdict in VERDICTS) + " |")
    total = Counter(verdict for _, verdict in verdicts)
    say("| all | " + " | ".join(str(total[verdict]) for verdict in VERDICTS) + " |\n")


def say(text: str) -> None:
    """To stdout, at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
