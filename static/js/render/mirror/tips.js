/** Bridges in words, for the tooltip. */
import { REASONS, memory, size, sizes, title } from "../../model/mirror/words.js";

/**
 * @typedef {import("../../model/mirror/mirror.js").MirrorModel} MirrorModel
 * @typedef {import("../tooltip.js").TipLine} TipLine
 */

const MOST = 4;

/** @param {MirrorModel} mirror @param {import("./bridges.js").Bridge} bridge @returns {TipLine[]} */
export function bridgeTip({ answer }, { saved, bytes, unknown, ghost }) {
  const cut = ghost && answer.other ? answer.other : answer.cut;
  const values = saved.map((i) => cut.saved[i]);
  /** @type {TipLine[]} */
  const lines = [];
  if (ghost) lines.push({ text: `Saved by the ${cut.partitioner.replace("_", "-")} partitioner only`, look: "is-detail" });
  if (values.length === 1) {
    const [each] = values;
    lines.push(
      { text: `${title(each)}`, look: "" },
      { text: size(each.bytes), look: "is-type" },
      { text: memory(cut, each), look: "is-detail" },
      {
        text: `read by ${each.readers.length === 1 ? "1 node" : `${each.readers.length} nodes`} of the backward`,
        look: "is-detail",
      },
      { text: `Saved: ${REASONS[each.reasons[0]]}`, look: "is-detail" },
    );
    return lines.filter(({ text }) => text);
  }
  lines.push({ text: `${values.length} saved tensors`, look: "" }, { text: sizes(bytes, unknown), look: "is-type" });
  const largest = [...values].sort((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0)).slice(0, MOST);
  for (const each of largest) lines.push({ text: `${title(each)} · ${size(each.bytes)}`, look: "is-detail" });
  if (values.length > MOST) lines.push({ text: `and ${values.length - MOST} more`, look: "is-detail" });
  return lines;
}
