// A stack trace: the person's own lines first, innermost on top, each leading to the source; torch's own folded away.

import { el } from "../dom.js";
import { lineOf } from "../pane/explain.js";

/** @param {Api.Frame[]} frames outermost first */
export function framesOf(frames) {
  if (!frames.length) return el("p", { class: "muted" }, "torch recorded no line for this node");
  const inner = [...frames].reverse();
  const own = inner.filter((frame) => frame.user);
  const others = inner.filter((frame) => !frame.user);
  return el(
    "div",
    { class: "frames" },
    ...own.map(lineOf),
    others.length > 0 &&
      el(
        "details",
        { open: own.length === 0 },
        el("summary", {}, own.length ? `${others.length} more in libraries` : "In libraries"),
        ...others.map(lineOf),
      ),
  );
}
