// Says in the live region how many kin a selection has in the graphs that are shown, for those who do not see them light up.

import { counted, graphTitle } from "../panels/format.js";
import { capture, graphs, notice, panes, selection } from "../state.js";
import { kinIn, onKin } from "../state/kin.js";

/** Links may be under way, and arrow keys go on. */
const SETTLE_MS = 500;

export function announceKin() {
  let timer = 0;
  let said = "";
  onKin(() => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      const words = kinWords();
      if (words && words !== said) notice.set(words);
      said = words;
    }, SETTLE_MS);
  });
}

/** @returns {string} "Kin: Core ATen 9 nodes, Joint none"; "" when there is nothing to say */
function kinWords() {
  const now = selection.get();
  const others = [...new Set(panes.get().map((pane) => pane.show))].filter((gid) => gid !== now?.gid);
  const parts = others.flatMap((gid) => {
    const model = graphs.get().get(gid);
    const found = model && kinIn(model);
    if (!model || !found || found.by === "waiting") return [];
    const { exact, line } = found.kin;
    const many = exact.length
      ? counted(exact.length, "node")
      : line.length
        ? `${counted(line.length, "node")} by source line`
        : "none";
    const head = capture.get();
    return head ? [`${graphTitle(head, gid)} ${many}`] : [];
  });
  return parts.length ? `Kin: ${parts.join(", ")}` : "";
}
