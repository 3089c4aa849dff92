/** The passes of a mirror: under the boxes the rows and the bridges, over them labels and marks. */
import { textWidth } from "../../base/scene/boxes.js";
import { sizes } from "../../model/mirror/words.js";
import { STYLE, isLegible } from "../draw/text.js";
import { pointAt, traceBridge } from "./path.js";

/**
 * @typedef {import("../draw/draw.js").Frame} Frame
 * @typedef {import("./bridges.js").Bridge} Bridge
 * @typedef {import("./overlay.js").Overlay} Overlay
 */

/** The colours of model/colouring/fate.js: what is saved, what is computed again; and what only the other partitioner saves. */
const SAVED = "hue-2";
const AGAIN = "hue-4";
const OTHER = "hue-1";

const LABEL = Object.freeze({ size: 10.5, height: 16, pad: 6, most: 160 });
const MARK = Object.freeze({ size: 10, height: 15, pad: 5 });
/** Bridges at rest, and those beside what is chosen. */
const REST = Object.freeze({ kept: 0.62, held: 0.4, dimmed: 0.16 });
/** Fewer pixels than this no bridge is thick. */
const LEAST_PX = 1;
const GHOST_DASH = Object.freeze([7, 5]);
const SYMBOLIC_DASH = Object.freeze([10, 3]);

/** Light strips from the forward's modules to the same of the backward. @param {Frame} frame @param {Overlay} overlay */
export function drawRows(
  {
    ink,
    theme,
    view,
    drawing: {
      scene: { items },
    },
  },
  { mirrored },
) {
  ink.fillStyle = theme.group;
  ink.globalAlpha = 0.55;
  mirrored.beside.forEach((mate, item) => {
    if (mate < 0 || items.parent[item] >= 0) return;
    const top = Math.max(items.y[item], items.y[mate]);
    const bottom = Math.min(items.y[item] + items.h[item], items.y[mate] + items.h[mate]);
    if (bottom <= top || bottom < view.y || top > view.y + view.h) return;
    const left = items.x[item] + items.w[item];
    ink.fillRect(left, top, items.x[mate] - left, bottom - top);
  });
  ink.globalAlpha = 1;
}

/** @param {Frame} frame @param {Overlay} overlay */
export function drawBridges(frame, overlay) {
  const { bridges, hovered } = overlay;
  const chosen = hovered ? new Set([...overlay.chosen, hovered]) : overlay.chosen;
  const seen = bridges.all.filter((bridge) => inView(frame, bridge));
  const dimmed = overlay.chosen.size > 0;
  for (const [style, list] of byStyle(
    frame,
    overlay,
    seen.filter((bridge) => !chosen.has(bridge)),
  ))
    strokeAll(frame, overlay, list, style, dimmed);
  for (const [style, list] of byStyle(
    frame,
    overlay,
    seen.filter((bridge) => chosen.has(bridge)),
  ))
    strokeAll(frame, overlay, list, style, false, true);
}

/** @typedef {{colour: string, alpha: number, width: number, dash: readonly number[]}} Style */

/** @param {Frame} frame @param {Bridge} bridge */
function inView({ view }, { x0, x1, y0, y1, width }) {
  return (
    Math.max(y0, y1) + width >= view.y && Math.min(y0, y1) - width <= view.y + view.h && x1 >= view.x && x0 <= view.x + view.w
  );
}

/** One stroke for all that look alike: strokes cost more than lines. @param {Frame} frame @param {Overlay} overlay @param {readonly Bridge[]} list @returns {[Style, Bridge[]][]} */
function byStyle({ theme, k }, { compared }, list) {
  /** @type {Map<string, [Style, Bridge[]]>} */
  const found = new Map();
  for (const bridge of list) {
    const width = Math.round(Math.max(bridge.width, LEAST_PX / k) * 2) / 2;
    const plain = bridge.held || (compared && !bridge.fresh && !bridge.ghost);
    const name = bridge.ghost ? OTHER : SAVED;
    const colour = plain ? theme["border-strong"] : (theme.colours.get(name)?.bar ?? theme.ink);
    const dash = bridge.ghost ? GHOST_DASH : bridge.unknown > 0 ? SYMBOLIC_DASH : [];
    const key = `${width} ${colour} ${dash.length ? dash[0] : 0}`;
    const known = found.get(key);
    if (known) known[1].push(bridge);
    else found.set(key, [{ colour, width, dash, alpha: plain ? REST.held : REST.kept }, [bridge]]);
  }
  return [...found.values()];
}

/** @param {Frame} frame @param {Overlay} overlay @param {readonly Bridge[]} list @param {Style} style @param {boolean} dimmed @param {boolean} [chosen] */
function strokeAll({ ink, k }, { bridges: { left, right } }, list, { colour, alpha, width, dash }, dimmed, chosen = false) {
  ink.strokeStyle = colour;
  ink.globalAlpha = chosen ? 1 : dimmed ? REST.dimmed : alpha;
  ink.lineWidth = chosen ? width + 1 / Math.min(k, 1) : width;
  if (dash.length) ink.setLineDash(dash.map((length) => length / Math.min(k, 1)));
  ink.beginPath();
  for (const bridge of list) traceBridge(ink, bridge, left, right);
  ink.stroke();
  if (dash.length) ink.setLineDash([]);
  ink.globalAlpha = 1;
}

/** What a bridge carries, those that carry most first; never one on another. @param {Frame} frame @param {Overlay} overlay */
export function drawLabels(frame, overlay) {
  const { bridges, chosen, hovered } = overlay;
  const always = new Set([...chosen, ...(hovered ? [hovered] : [])]);
  const legible = isLegible(LABEL.size, frame.k);
  const list = legible ? bridges.all : bridges.all.filter((bridge) => always.has(bridge));
  const sorted = [...list].sort((a, b) => Number(always.has(b)) - Number(always.has(a)) || b.bytes - a.bytes);
  /** @type {{x: number, y: number, w: number}[]} */
  const taken = [];
  const scale = legible ? 1 : LABEL.size / (frame.k * 11);
  for (const bridge of sorted) {
    if (taken.length >= LABEL.most || !inView(frame, bridge)) continue;
    const who = overlay.whoAlone(bridge);
    const at = pointAt(bridge, bridges.left, bridges.right, who === "" ? 0.5 : bridge.ghost ? 0.75 : 0.25);
    const text = labelOf(bridge, who);
    const w = (textWidth(text, LABEL.size, "text") + 2 * LABEL.pad) * scale;
    if (
      taken.some(
        (other) => Math.abs(other.y - at.y) < (LABEL.height + 2) * scale && Math.abs(other.x - at.x) < (other.w + w) / 2,
      )
    )
      continue;
    taken.push({ ...at, w });
    drawLabel(frame, overlay, bridge, { ...at, w, h: LABEL.height * scale }, text, LABEL.size * scale);
  }
}

/** @param {Bridge} bridge @param {string} who alone saves it; "" */
function labelOf({ saved, bytes, unknown }, who) {
  const said = sizes(bytes, unknown);
  const many = saved.length > 1 ? `${saved.length}${who ? "" : " saved"} · ` : "";
  return `${who && `${who}: `}${many}${said}`;
}

/** @param {Frame} frame @param {Overlay} overlay @param {Bridge} bridge @param {{x: number, y: number, w: number, h: number}} at middle and size @param {string} text @param {number} size */
function drawLabel({ ink, theme, fitter }, { chosen, compared }, bridge, { x, y, w, h }, text, size) {
  const plain = bridge.held || (compared && !bridge.fresh && !bridge.ghost);
  ink.beginPath();
  ink.roundRect(x - w / 2, y - h / 2, w, h, h / 2);
  ink.fillStyle = theme.card;
  ink.fill();
  ink.strokeStyle = plain ? theme.border : (theme.colours.get(bridge.ghost ? OTHER : SAVED)?.bar ?? theme.border);
  ink.lineWidth = (chosen.has(bridge) ? 2 : 1) * (h / LABEL.height);
  ink.stroke();
  ink.font = STYLE.text(size);
  ink.textAlign = "center";
  ink.fillStyle = plain ? theme["ink-muted"] : theme.ink;
  ink.fillText(fitter.cut(ink, text, size, w - LABEL.pad), x, y);
}

/** A sign on every box that both halves compute, and the name of the gradient that a box gives. @param {Frame} frame @param {Overlay} overlay */
export function drawMarks(frame, { marks }) {
  const { visible, k } = frame;
  if (!isLegible(MARK.size, k)) return drawSpots(frame, marks);
  for (const list of [visible.nodes, visible.closed]) {
    for (const item of list) {
      const mark = marks.get(item);
      if (!mark) continue;
      if (mark.again) drawAgain(frame, item, mark);
      if (mark.gradients.length) drawGradient(frame, item, mark);
    }
  }
}

/** Too small for a sign: a bar at the right edge. @param {Frame} frame @param {Map<number, import("./marked.js").Mark>} marks */
function drawSpots(
  {
    ink,
    theme,
    k,
    visible,
    drawing: {
      scene: { items },
    },
  },
  marks,
) {
  ink.fillStyle = theme.colours.get(AGAIN)?.bar ?? theme.ink;
  for (const list of [visible.nodes, visible.closed]) {
    for (const item of list) {
      if (!marks.get(item)?.again || items.h[item] * k < 2) continue;
      const w = Math.min(items.w[item] / 4, 3 / k);
      ink.fillRect(items.x[item] + items.w[item] - w, items.y[item], w, items.h[item]);
    }
  }
}

/** @param {Frame} frame @param {number} item @param {import("./marked.js").Mark} mark */
function drawAgain(frame, item, { again, free, differs }) {
  const { drawing, theme } = frame;
  const colour = theme.colours.get(AGAIN)?.bar ?? theme.ink;
  const { x, y, w } = drawing.rectOf(item);
  const text = drawing.isNode(item) ? "↻" : `↻ ${again}`;
  pill(frame, { right: x + w - 6, middle: y }, text, colour, again > free || differs > 0);
}

/** @param {Frame} frame @param {number} item @param {import("./marked.js").Mark} mark */
function drawGradient(frame, item, { gradients, again }) {
  const { drawing, theme } = frame;
  const { x, y, w } = drawing.rectOf(item);
  const own = drawing.isNode(item) && gradients.length === 1;
  const text = own ? `∇ ${below(drawing, item, gradients[0])}` : `∇ ${gradients.length}`;
  pill(
    frame,
    { right: x + w - (again ? 34 : 6), middle: y - MARK.height / 2 + 1 },
    text,
    theme["ink-muted"],
    false,
    w - (again ? 40 : 12),
  );
}

/** A parameter's name below the module its box is in. @param {import("../drawing.js").Drawing} drawing @param {number} item @param {string} name */
function below({ tree, model, scene: { items } }, item, name) {
  const path = model.modules[tree.module[tree.groupOf[items.ref[item]]]].path;
  return path && name.startsWith(`${path}.`) ? name.slice(path.length + 1) : name;
}

/** @param {Frame} frame @param {{right: number, middle: number}} at @param {string} text @param {string} colour @param {boolean} full @param {number} [room] */
function pill({ ink, theme, fitter }, { right, middle }, text, colour, full, room = Infinity) {
  ink.font = STYLE.bold(MARK.size);
  const shown = fitter.cut(ink, text, MARK.size, Math.max(10, room - 2 * MARK.pad));
  const w = Math.max(MARK.height + 3, fitter.width(ink, shown) + 2 * MARK.pad);
  ink.beginPath();
  ink.roundRect(right - w, middle - MARK.height / 2, w, MARK.height, MARK.height / 2);
  ink.fillStyle = full ? colour : theme.card;
  ink.fill();
  ink.strokeStyle = colour;
  ink.lineWidth = 1.2;
  ink.stroke();
  ink.textAlign = "center";
  ink.fillStyle = full ? theme.card : colour === theme["ink-muted"] ? theme.ink : colour;
  ink.fillText(shown, right - w / 2, middle + 0.5);
}
