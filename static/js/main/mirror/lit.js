// What is lit in a mirror: the kin of what is selected, in it or elsewhere, search hits, and what the pointer is over.

import { searchNodes } from "../../model/search/search.js";
import { active, graphs, hovered, search, selection } from "../../state.js";
import { chosenIn, kinIn, previewIn } from "../../state/kin.js";

/**
 * @typedef {import("../../model/mirror/mirror.js").MirrorModel} MirrorModel
 * @typedef {import("../../render/marked.js").Highlight} Highlight
 */

/** @param {MirrorModel} mirror @param {number} pane only the pane in use is searched @returns {Highlight[]} */
export function litIn(mirror, pane) {
  const words = active.get() === pane ? search.get().trim() : "";
  const hits = words ? searchNodes(mirror.model, words) : [];
  return [...kinMarks(mirror), ...marks([["search", hits]])];
}

/** @param {MirrorModel} mirror @returns {Highlight[]} */
function kinMarks(mirror) {
  const now = selection.get();
  const own = now && graphs.get().get(now.gid);
  if (!now || !own) return [];
  if (now.gid === mirror.forward || now.gid === mirror.backward)
    return marks([["exact", kinAcross(mirror, now.gid, chosenIn(own))]]);
  return bothHalves(mirror, (model) => kinIn(model)?.kin ?? null, "exact", "line");
}

/** What the pointer is over, and its kin. @param {MirrorModel} mirror @returns {Highlight[]} */
export function previewedIn(mirror) {
  const now = hovered.get();
  if (!now) return [];
  if (now.gid === mirror.forward || now.gid === mirror.backward)
    return marks([["near", kinAcross(mirror, now.gid, now.nodes)]]);
  return bothHalves(mirror, previewIn, "near", "near-line");
}

/**
 * The nodes of the other half that belong to some of one, as the mirror numbers them; those that read a saved value belong to it too.
 * @param {MirrorModel} mirror @param {string} gid @param {readonly number[]} nodes
 */
export function kinAcross(mirror, gid, nodes) {
  const { kin, cut } = mirror.answer;
  const wanted = new Set(nodes);
  if (gid === mirror.backward)
    return [...new Set(nodes.map((node) => kin[mirror.place[node]] ?? -1).filter((node) => node >= 0))];
  const found = new Set();
  kin.forEach((node, j) => {
    if (wanted.has(node)) found.add(j + mirror.offset);
  });
  for (const each of cut.saved)
    if (wanted.has(each.forward)) for (const reader of each.readers) found.add(reader + mirror.offset);
  return [...found];
}

/**
 * @param {MirrorModel} mirror @param {(model: import("../../model/graph.js").GraphModel) => import("../../model/kin/links.js").Kin|null} find
 * @param {Highlight["style"]} exact @param {Highlight["style"]} line @returns {Highlight[]}
 */
function bothHalves(mirror, find, exact, line) {
  /** @type {Highlight[]} */
  const found = [];
  for (const gid of [mirror.forward, mirror.backward]) {
    const model = graphs.get().get(gid);
    const kin = model && find(model);
    if (!model || !kin) continue;
    const ours = (/** @type {ArrayLike<number>} */ nodes) =>
      Array.from(nodes, (node) => mirror.indexOf(gid, model.name[node])).filter((node) => node >= 0);
    found.push(
      ...marks([
        [line, ours(kin.line)],
        [exact, ours(kin.exact)],
      ]),
    );
  }
  return found;
}

/** @param {[Highlight["style"], readonly number[]][]} lists @returns {Highlight[]} */
function marks(lists) {
  return lists.filter(([, nodes]) => nodes.length).map(([style, nodes]) => ({ style, nodes }));
}
