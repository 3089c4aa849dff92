// In the details of a node of a forward or a backward: what the mirror knows of it. Filled in once the answer is here.

import { parseShow, targetOf } from "../../model/capture.js";
import { backwardOf, forwardOf, hasBoth, mirrorOf } from "../../model/mirror/shows.js";
import { PARTITIONERS, REASONS, memory, size, sizes } from "../../model/mirror/words.js";
import { capture, graphs, showIn } from "../../state.js";
import { selectNodes } from "../../state/kin.js";
import { longList, nodeLink, pairs, section } from "../details/parts.js";
import { button, el } from "../dom.js";
import { bytes, sentence } from "../format.js";
import { wantMirror } from "./load.js";

/**
 * @typedef {import("../../model/mirror/types.js").MirrorAnswer} MirrorAnswer
 * @typedef {import("../../model/mirror/types.js").Cut} Cut
 * @typedef {import("../../model/mirror/types.js").Saved} Saved
 */

/** @param {string} gid @param {{name: string, index: number}} node @returns {HTMLElement|null} null: the graph is no half of a pair */
export function mirrorPart(gid, node) {
  const now = capture.get();
  const show = mirrorOf(gid);
  if (!now || !show || !hasBoth(targetOf(now, parseShow(gid).target), show)) return null;
  const host = el("div", { class: "mirror-part" });
  const forward = forwardOf(show);
  wantMirror(forward)
    .then((answer) => host.append(...facts(answer, gid, node, show)))
    .catch(() => {}); // whoever opens the mirror itself is told
  return host;
}

/** Of several nodes: how many of them are saved, and in how many bytes. @param {string} gid @param {readonly string[]} names @returns {HTMLElement|null} */
export function mirrorSum(gid, names) {
  const now = capture.get();
  const show = mirrorOf(gid);
  if (!now || !show || !hasBoth(targetOf(now, parseShow(gid).target), show)) return null;
  const host = el("div", { class: "mirror-part" });
  const wanted = new Set(names);
  wantMirror(forwardOf(show))
    .then(({ cut }) => {
      const saved = cut.saved.filter((each) => wanted.has(each.name));
      const storages = [...new Set(saved.map((each) => each.storage))].filter((i) => i >= 0).map((i) => cut.storages[i]);
      const sum = (/** @type {typeof storages} */ list) => list.reduce((all, each) => all + (each.bytes ?? 0), 0);
      const part = section(
        "Saved for the backward",
        saved.length > 0 &&
          pairs([
            ["saved", `${saved.length} of these ${names.length}`],
            ["bytes", el("strong", {}, sizes(sum(storages), storages.filter((each) => each.bytes === null).length))],
            ["activations", bytes(sum(storages.filter((each) => !each.held)))],
          ]),
      );
      if (part) host.append(part);
    })
    .catch(() => {}); // whoever opens the mirror itself is told
  return host;
}

/** @param {MirrorAnswer} answer @param {string} gid @param {{name: string, index: number}} node @param {string} show @returns {HTMLElement[]} */
function facts(answer, gid, node, show) {
  const { cut } = answer;
  const back = gid === backwardOf(show);
  const saved = cut.saved.find((each) => (back ? each.backward : each.forward) === node.index);
  const again = cut.recomputed.find((each) => each.name === node.name);
  const gradients = back ? cut.gradients.filter((each) => each.node === node.index).map((each) => each.name) : [];
  const reads = back ? cut.saved.filter((each) => each.readers.includes(node.index)) : [];
  return [
    saved && savedPart(answer, saved, show),
    again && againPart(cut, again, back),
    gradients.length &&
      section("Gradient of", el("ul", { class: "plain" }, ...gradients.map((name) => el("li", {}, el("code", {}, name))))),
    reads.length && readsPart(cut, reads),
    !saved && !back && otherPart(answer, node.name),
  ].filter((part) => part instanceof HTMLElement);
}

/** @param {MirrorAnswer} answer @param {Saved} saved @param {string} show */
function savedPart({ cut, other, difference }, saved, show) {
  const readers = graphs.get().get(cut.backward);
  const there = difference.find((each) => each.name === saved.name);
  return section(
    "Saved for the backward",
    pairs([
      ["bytes", el("strong", {}, size(saved.bytes))],
      ["memory", memory(cut, saved)],
      [
        "kept by",
        el(
          "span",
          {},
          nodeLink(cut.forward, saved.name),
          saved.module && el("span", { class: "muted" }, ` in ${saved.module}`),
        ),
      ],
      ["taken as", nodeLink(cut.backward, saved.name)],
    ]),
    el("h4", {}, "Why saved"),
    el(
      "p",
      {},
      saved.readers.length === 0
        ? "Nothing in the backward reads it."
        : saved.readers.length === 1
          ? "This node of the backward reads it:"
          : `These ${saved.readers.length} nodes of the backward read it:`,
    ),
    saved.readers.length > 0 &&
      longList(saved.readers, 6, (j) =>
        button(readers?.name[j] ?? `node ${j}`, { class: "link node-link", onclick: () => selectNodes(cut.backward, [j]) }),
      ),
    el("h4", {}, "Why not recomputed"),
    el("p", {}, reasonsOf(saved)),
    other && el("p", { class: "muted" }, otherWords(other, there)),
    el("p", {}, button("Show it in the mirror", { class: "link", onclick: () => showIn(show) })),
  );
}

/** @param {Saved} saved */
function reasonsOf({ reasons, said }) {
  return el(
    "span",
    {},
    sentence(reasons.map((reason) => REASONS[reason] ?? reason).join("; ")),
    said && el("span", { class: "muted" }, ` torch says: “${said}”.`),
  );
}

/** @param {Cut} other @param {import("../../model/mirror/types.js").Difference|undefined} there */
function otherWords({ partitioner }, there) {
  const who = `The ${PARTITIONERS[partitioner]} partitioner`;
  if (there && there.there >= 0) return `${who} saves it too.`;
  if (there?.same_memory) return `${who} keeps the same memory by another of its views.`;
  return there?.again_there ? `${who} computes it again instead.` : `${who} does not save it.`;
}

/** @param {Cut} cut @param {import("../../model/mirror/types.js").Recomputed} again @param {boolean} back */
function againPart(cut, again, back) {
  return section(
    "Computed twice",
    el(
      "p",
      {},
      back ? "The forward computes it too: " : "The backward computes it again: ",
      nodeLink(back ? cut.forward : cut.backward, again.name),
      again.free ? ". A view, so it costs nothing." : ".",
    ),
  );
}

/** @param {Cut} cut @param {Saved[]} reads */
function readsPart(cut, reads) {
  return section(
    `Reads ${reads.length} saved`,
    longList(reads, 6, (each) =>
      el("span", {}, nodeLink(cut.forward, each.name), el("span", { class: "muted" }, ` ${each.type} · ${size(each.bytes)}`)),
    ),
  );
}

/** What only the other partitioner saves. @param {MirrorAnswer} answer @param {string} name */
function otherPart({ other, difference }, name) {
  const there = difference.find((each) => each.name === name);
  if (!other || !there || there.there < 0 || there.same_memory) return null;
  const saved = other.saved[there.there];
  return section(
    "Saved by the other partitioner",
    el(
      "p",
      {},
      `${PARTITIONERS[other.partitioner]} saves it, ${size(saved.bytes)}; ${there.again_here ? "here it is computed again" : "here it is not saved"}.`,
    ),
    pairs([["why", reasonsOf(saved)]]),
  );
}
