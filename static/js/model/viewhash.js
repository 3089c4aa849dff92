// The address: a whole view as the hash of the page, `#v1?p=forward.0&c=12,40,0.8&s=forward.0:sum&d=breaks`.
// Only what differs from the default view is written. Unknown keys are skipped and an unknown version gives null.

import { FLOWS } from "../base/scene/flow.js";
import { DEFAULT_FOLDS, foldsIn } from "./folding/folds.js";
import { GROUPINGS } from "./tree/grouptree.js";

/**
 * @typedef {{x: number, y: number, k: number}} Camera world point in the middle, and pixels per unit
 * @typedef {{how: "ancestors"|"descendants"|"between"|"gradient"|"near"|"found", gid: string, from: string, to: string}} Trace what is
 *   followed from one node of a graph; `to`: the other end of `between`; of `near`, which begins at several nodes or a group, and of
 *   `found`, whose `from` is a search, how many edges around them, "" for nothing but what was found; else ""
 * @typedef {{by: import("./tree/grouptree.js").Grouping, flow: import("../base/scene/flow.js").Flow, wrap: boolean, colour: string, filter: string[],
 *   folds: readonly import("./folding/folds.js").Fold[], map: boolean}} Look
 *   how a pane groups, directs, wraps, folds and colours its nodes, and whether a map stands in its corner; `colour`: a mode of model/colouring; `filter`: classes of that mode, all
 *   others are dimmed; empty: none is
 * @typedef {{show: string, camera: Camera|null, opened: string[], closed: string[], unfolded: string[], only: Trace|null} & Look} PaneView
 *   `show`: a GID, or a stage without a graph (`export`, `t2.export`); `camera` null: fitted to the window;
 *   `opened`, `closed`: module paths of groups that differ from how the graph opens by itself; `unfolded`: paths of first blocks
 *   of rows that are drawn one by one, though identical blocks are drawn once; `only`: nothing but what this trace finds is drawn
 * @typedef {{gid: string, names: string[], group: string|null}} Selection  nodes by name, or one group by module path
 * @typedef {{panes: PaneView[], active: number, selection: Selection|null, side: string, drawer: string, search: string,
 *   variant: string, trace: Trace|null, locked: boolean}} View
 *   `side`, `drawer`: the open tab, "" when closed; `variant`: which of the two prints the text tab shows; `trace`: what is lit;
 *   `locked`: the panes are panned and zoomed together
 */

const VERSION = "v1";

/** @type {Readonly<View>} */
export const DEFAULT_VIEW = Object.freeze({
  panes: [],
  active: 0,
  selection: null,
  side: "source",
  drawer: "",
  search: "",
  variant: "plain",
  trace: null,
  locked: false,
});

/** The ways to follow a node, as the address has them. */
const WAYS = /** @type {const} */ (["ancestors", "descendants", "between", "gradient", "near", "found"]);

/** What may stand in `to`. @type {{[how: string]: RegExp}} */
const ENDS = { between: /^[^]+$/, near: /^\d$/, found: /^\d?$/ };

/** @type {Readonly<Look>} */
export const DEFAULT_LOOK = Object.freeze({ by: GROUPINGS[0], flow: FLOWS[0], wrap: true, colour: "kind", filter: [], folds: DEFAULT_FOLDS, map: true });

/** @param {string} show @param {Partial<Look>} [look] @returns {PaneView} a pane as it opens by itself */
export function paneView(show, look = {}) {
  return { show, camera: null, opened: [], closed: [], unfolded: [], only: null, ...DEFAULT_LOOK, ...look };
}

/**
 * The hash of a view, with its `#`; "" for the default view.
 * @param {View} view @returns {string}
 */
export function encodeView(view) {
  /** @type {string[]} */
  const parts = [];
  for (const pane of view.panes) parts.push(...encodePane(pane));
  if (view.active > 0) parts.push(`a=${view.active}`);
  if (view.selection) parts.push(...encodeSelection(view.selection));
  if (view.side !== DEFAULT_VIEW.side) parts.push(`t=${escape(view.side)}`);
  if (view.drawer !== DEFAULT_VIEW.drawer) parts.push(`d=${escape(view.drawer)}`);
  if (view.search !== DEFAULT_VIEW.search) parts.push(`q=${escape(view.search)}`);
  if (view.variant !== DEFAULT_VIEW.variant) parts.push(`v=${escape(view.variant)}`);
  if (view.trace) parts.push(`h=${encodeTrace(view.trace)}`);
  if (view.locked) parts.push("l=1");
  return parts.length ? `#${VERSION}?${parts.join("&")}` : "";
}

/** @param {PaneView} pane */
function encodePane(pane) {
  const parts = [`p=${escape(pane.show)}`];
  if (pane.camera) parts.push(`c=${decimal(pane.camera.x)},${decimal(pane.camera.y)},${significant(pane.camera.k)}`);
  if (pane.opened.length) parts.push(`o=${list(pane.opened)}`);
  if (pane.closed.length) parts.push(`x=${list(pane.closed)}`);
  if (pane.only) parts.push(`i=${encodeTrace(pane.only)}`);
  if (pane.by !== DEFAULT_LOOK.by) parts.push(`b=${pane.by}`);
  if (pane.flow !== DEFAULT_LOOK.flow) parts.push(`w=${pane.flow}`);
  if (!pane.wrap) parts.push("y=0");
  if (pane.folds.join() !== DEFAULT_LOOK.folds.join()) parts.push(`n=${pane.folds.join(",")}`);
  if (pane.unfolded.length) parts.push(`u=${list(pane.unfolded)}`);
  if (pane.map !== DEFAULT_LOOK.map) parts.push(`m=${pane.map ? 1 : 0}`);
  if (pane.colour !== DEFAULT_LOOK.colour) parts.push(`k=${escape(pane.colour)}`);
  if (pane.filter.length) parts.push(`f=${list(pane.filter)}`);
  return parts;
}

/** @param {Trace} trace */
function encodeTrace({ how, gid, from, to }) {
  return [how, gid, from, ...(to ? [to] : [])].map(escape).join(":");
}

/** @param {string} value @returns {Trace|null} */
function decodeTrace(value) {
  const [way, gid, from, to = "", ...more] = value.split(":").map(unescape);
  const how = WAYS.find((each) => each === way);
  const whole = Boolean(gid && from) && more.length === 0;
  return how && whole && (ENDS[how] ?? /^$/).test(to) ? { how, gid, from, to } : null;
}

/** @param {Selection} selection */
function encodeSelection(selection) {
  const parts = [`s=${escape(selection.gid)}:${nameList(selection.names)}`];
  if (selection.group !== null) parts.push(`g=${escape(selection.group)}`);
  return parts;
}

/**
 * The view a hash stands for. The empty hash is the default view; null: not a hash of ours, or of a newer version.
 * @param {string} hash with or without `#` @returns {View|null}
 */
export function decodeView(hash) {
  const text = hash.replace(/^#/, "");
  if (text === "") return { ...DEFAULT_VIEW };
  const [version, ...rest] = text.split("?");
  if (version !== VERSION) return null;
  /** @type {View} */
  const view = { ...DEFAULT_VIEW, panes: [] };
  for (const part of rest.join("?").split("&")) {
    const cut = part.indexOf("=");
    if (cut > 0) take(view, part.slice(0, cut), part.slice(cut + 1));
  }
  view.active = Math.min(view.active, Math.max(0, view.panes.length - 1));
  return view;
}

/** What belongs to the pane named last, by its letter. @type {Record<string, (value: string) => Partial<PaneView>>} */
const ofPane = {
  c: (value) => ({ camera: camera(value) }),
  o: (value) => ({ opened: unlist(value) }),
  x: (value) => ({ closed: unlist(value) }),
  i: (value) => ({ only: decodeTrace(value) }),
  b: (value) => ({ by: GROUPINGS.find((each) => each === value) ?? DEFAULT_LOOK.by }),
  w: (value) => ({ flow: FLOWS.find((each) => each === value) ?? DEFAULT_LOOK.flow }),
  y: (value) => ({ wrap: value !== "0" }),
  n: (value) => ({ folds: foldsIn(unlist(value)) }),
  u: (value) => ({ unfolded: unlist(value) }),
  m: (value) => ({ map: value !== "0" }),
  k: (value) => ({ colour: unescape(value) }),
  f: (value) => ({ filter: unlist(value) }),
};

/** What belongs to the view, as read until now. @type {Record<string, (value: string, view: View) => Partial<View>>} */
const ofView = {
  p: (value, { panes }) => (value ? { panes: [...panes, paneView(unescape(value))] } : {}),
  h: (value) => ({ trace: decodeTrace(value) }),
  l: (value) => ({ locked: value === "1" }),
  a: (value) => ({ active: /^\d$/.test(value) ? Number(value) : 0 }),
  s: (value) => {
    const cut = value.indexOf(":");
    return cut > 0 ? { selection: { gid: unescape(value.slice(0, cut)), names: unlistNames(value.slice(cut + 1)), group: null } } : {};
  },
  g: (value, { selection }) => (selection ? { selection: { ...selection, group: unescape(value) } } : {}),
  t: (value) => ({ side: unescape(value) }),
  d: (value) => ({ drawer: unescape(value) }),
  q: (value) => ({ search: unescape(value) }),
  v: (value) => ({ variant: unescape(value) }),
};

/** Reads one part of a hash into the view; letters of a later version say nothing. @param {View} view @param {string} letter @param {string} value */
function take(view, letter, value) {
  const pane = view.panes.at(-1);
  if (Object.hasOwn(ofView, letter)) Object.assign(view, ofView[letter](value, view));
  else if (pane && Object.hasOwn(ofPane, letter)) Object.assign(pane, ofPane[letter](value));
}

/** @param {string} value @returns {Camera|null} */
function camera(value) {
  const [x, y, k, ...more] = value.split(",").map(Number);
  const fine = more.length === 0 && [x, y, k].every(Number.isFinite) && k > 0;
  return fine ? { x, y, k } : null;
}

/**
 * The camera as the address holds it: encoding and decoding it again changes nothing.
 * @param {Camera} at @returns {Camera}
 */
export function roundCamera(at) {
  return { x: Number(decimal(at.x)), y: Number(decimal(at.y)), k: Number(significant(at.k)) };
}

/** A tenth of a pixel at zoom 1 is below what anyone sees. @param {number} value */
function decimal(value) {
  return String(Math.round(value * 10) / 10 + 0);
}

/** Four digits: over a 2,000 px window the zoom is then right to a fifth of a pixel. @param {number} value */
function significant(value) {
  return String(Number(value.toPrecision(4)));
}

/** @param {string[]} items */
function list(items) {
  return items.map(escape).join(",");
}

/** @param {string} value @returns {string[]} */
function unlist(value) {
  return value === "" ? [] : value.split(",").map(unescape);
}

/** More names than any graph has nodes: a link cannot ask for more memory than that. */
const MOST_NAMES = 200_000;

/**
 * Names as a list in which `view_3,view_4,view_5` is `view_3~5`: all nodes of one operator would make a link of many pages.
 * @param {string[]} names
 */
function nameList(names) {
  /** @type {string[]} */
  const parts = [];
  for (let i = 0, run = 1; i < names.length; i += run) {
    const [base, from] = numbered(names[i]);
    run = 1;
    while (base !== "" && names[i + run] === `${base}${from + run}`) run++;
    parts.push(run > 1 ? `${escape(names[i])}~${from + run - 1}` : escape(names[i]));
  }
  return parts.join(",");
}

/** `view_12` as `view_` and 12; base "" when there is no number at the end that is written plainly. @param {string} name @returns {[string, number]} */
function numbered(name) {
  const match = /^(.*_)(0|[1-9]\d{0,8})$/.exec(name);
  return match ? [match[1], Number(match[2])] : ["", 0];
}

/** @param {string} value @returns {string[]} */
function unlistNames(value) {
  /** @type {string[]} */
  const names = [];
  for (const part of value === "" ? [] : value.split(",")) {
    const cut = part.indexOf("~");
    const [base, from] = cut < 0 ? ["", 0] : numbered(unescape(part.slice(0, cut)));
    const to = cut < 0 ? 0 : Number(part.slice(cut + 1));
    if (base === "" || !(to > from)) names.push(unescape(part));
    else for (let n = from; n <= to && names.length < MOST_NAMES; n++) names.push(`${base}${n}`);
  }
  return names;
}

/** Readable where the hash allows it: `seq.0/true_graph_0` stays as it is. @param {string} text */
function escape(text) {
  return encodeURIComponent(wellFormed(text)).replace(/%2F/g, "/").replace(/~/g, "%7E");
}

/** A lone surrogate makes encodeURIComponent throw. @param {string} text */
function wellFormed(text) {
  return text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, "\uFFFD");
}

/** @param {string} text */
function unescape(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
