"""The verdict on one stage: what raw torch gives against what graphcap captured."""

from __future__ import annotations

import difflib
import json
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from tests.truth.processes import Captured
from tests.truth.product import Facts, stage_facts

Verdict = Literal["equal", "nothing in both", "same error", "different"]
MAX_DIFF_LINES = 60


@dataclass(frozen=True)
class Comparison:
    """`differences` is empty unless the verdict is `different`."""

    verdict: Verdict
    differences: tuple[str, ...] = ()


def compare_stage(stage: str, torch_says: Facts, captured: Captured) -> Comparison:
    """One stage out of both outcomes."""
    if stage not in captured.stages:
        return Comparison("different", (f"graphcap sent no {stage}: {captured.failures}",))
    return compare(stage, torch_says.get(stage, {}), stage_facts(captured.stages[stage]))


def compare(stage: str, torch_says: Facts, graphcap_says: Facts) -> Comparison:
    """One stage of the oracle's outcome against the same stage of the product's."""
    found = list(_status(torch_says, graphcap_says))
    found += _eager(torch_says, graphcap_says) if stage == "eager" else _graphs(torch_says, graphcap_says)
    found += _breaks(torch_says, graphcap_says) if stage == "dynamo" else []
    if found:
        return Comparison("different", tuple(found))
    if torch_says.get("graphs") or torch_says.get("forward"):
        return Comparison("equal")
    return Comparison("same error" if torch_says.get("error") else "nothing in both")


def _status(torch_says: Facts, graphcap_says: Facts) -> list[str]:
    error, failures = torch_says.get("error"), graphcap_says["failures"]
    for how in ("strict", "draft"):
        if how in torch_says and (difference := _attempt(how, torch_says[how], graphcap_says)):
            return [difference]
    if error and error not in failures:
        return [f"torch fails with {error}, graphcap ({graphcap_says['status']}) with {failures}"]
    if not error and graphcap_says["status"] == "failed":
        return [f"torch does not fail, graphcap does: {failures}"]
    if not graphcap_says["graphs"] and not failures and not graphcap_says["reason"]:
        return [f"graphcap shows nothing ({graphcap_says['status']}) and gives no reason"]
    return []


def _attempt(how: str, torch_says: Facts, graphcap_says: Facts) -> str:
    """Another kind of export: its error, or the kinds of what draft export reports."""
    ours = [failure for failure, name in zip(graphcap_says["failures"], graphcap_says["how"], strict=True) if name == how]
    kinds = [kind for kind, _ in ours]
    if ours == torch_says.get("errors", []) or ("kinds" in torch_says and kinds == torch_says["kinds"]):
        return ""
    return f"{how} export: torch says {torch_says}, graphcap {ours}"


def _breaks(torch_says: Facts, graphcap_says: Facts) -> list[str]:
    """Every break between fragments, and beyond those only reasons that torch counted (of frames it left alone)."""
    between = Counter((reason, line) for reason, line in torch_says["breaks"])
    ours = Counter((reason, line) for reason, line in graphcap_says["breaks"])
    invented = [reason for reason, _ in ours - between if reason not in torch_says["reasons"]]
    if between - ours or invented:
        return [f"breaks: torch {torch_says['breaks']} {torch_says['reasons']}, graphcap {graphcap_says['breaks']}"]
    return []


def _eager(torch_says: Facts, graphcap_says: Facts) -> list[str]:
    calls = graphcap_says["calls"]
    return [
        difference
        for part in ("forward", "backward")
        for difference in lines_differ(f"calls of the {part}", torch_says[part], calls[part])
    ]


def _graphs(torch_says: Facts, graphcap_says: Facts) -> list[str]:
    ours, theirs = graphcap_says["graphs"], torch_says.get("graphs", {})
    found = []
    if list(ours) != list(theirs):
        found.append(f"graphs: torch {list(theirs)}, graphcap {list(ours)}")
    for gid in theirs:
        if gid in ours and not gid.endswith(".draft"):  # draft export decides branches anew in every run, also by itself
            found += graph_differs(gid, theirs[gid], ours[gid])
    return found


def graph_differs(gid: str, theirs: Facts, ours: Facts) -> list[str]:
    """What differs between two graphs: nodes, edges, text, then what is known of each node."""
    found = lines_differ(f"{gid} nodes", _lines(theirs["nodes"]), _lines(ours["nodes"]))
    lost = Counter(map(tuple, theirs["edges"])) - Counter(map(tuple, ours["edges"]))
    more = Counter(map(tuple, ours["edges"])) - Counter(map(tuple, theirs["edges"]))
    if lost or more:
        found.append(f"{gid} edges: only torch {list(lost.elements())[:20]}, only graphcap {list(more.elements())[:20]}")
    found += lines_differ(f"{gid} text", theirs["text"].split("\n"), ours["text"].split("\n"))
    for what in ("values", "modules", "lines", "owners"):
        for name in (theirs[what].keys() | ours[what].keys()) if theirs.get(what) is not None else ():
            a, b = theirs[what].get(name), ours[what].get(name)
            if a != b:
                found.append(f"{gid} {what} of {name}: torch {json.dumps(a)}, graphcap {json.dumps(b)}")
    return found


def _lines(nodes: list[list[str]]) -> list[str]:
    return [" ".join(node) for node in nodes]


def lines_differ(what: str, theirs: list[str], ours: list[str]) -> list[str]:
    """A unified diff, torch's lines first, cut at MAX_DIFF_LINES."""
    if theirs == ours:
        return []
    diff = list(difflib.unified_diff(theirs, ours, "torch", "graphcap", lineterm="", n=1))
    return [f"{what}:\n" + "\n".join(diff[:MAX_DIFF_LINES])]
