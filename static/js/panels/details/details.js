// The right side: the selected node whole, the selected nodes as a list, the selected group, or the graph when nothing is selected.

import { wordsOf } from "../../base/errors.js";
import { getNode } from "../../api.js";
import { graphOf, isLive, parseShow } from "../../model/capture.js";
import { isStory } from "../../model/story/shows.js";
import { activeGraph, activeShow, capture, graphs, onActiveGraph, panes, selection } from "../../state.js";
import { el, fill } from "../dom.js";
import { followKin } from "./kin.js";
import { groupDetails } from "./group.js";
import { nodeDetails } from "./node.js";
import { overview } from "./overview.js";
import { severalDetails } from "./several.js";

const KEPT = 200;

/** Answers by "GID name", newest last: going back and forth asks once. @type {Map<string, Api.NodeDetails>} */
const kept = new Map();

/** @param {HTMLElement} host */
export function mountDetails(host) {
  /** @type {AbortController|null} */
  let under = null;
  let shown = "";
  host.tabIndex = -1;
  const put = (/** @type {HTMLElement} */ words) => {
    const held = host.contains(document.activeElement);
    fill(host, words);
    if (held) host.focus({ preventScroll: true }); // what was chosen in here is told from its head on
    toTop(host);
  };
  const show = async () => {
    const key = keyOf();
    if (key === shown) return;
    shown = key;
    under?.abort();
    const words = immediate();
    if (words) return put(words);
    const now = /** @type {import("../../state.js").Selection} */ (selection.get());
    const call = (under = new AbortController());
    host.classList.add("is-loading");
    try {
      const answer = await detailsOf(now.gid, now.names[0], call.signal);
      if (!call.signal.aborted) put(nodeDetails(now.gid, answer));
    } catch (error) {
      if (!call.signal.aborted) {
        shown = "";
        put(el("p", { class: "empty error-text" }, wordsOf(error)));
      }
    }
    if (under === call) host.classList.remove("is-loading");
  };
  followKin();
  let soon = false;
  const later = () => {
    if (soon) return;
    soon = true;
    queueMicrotask(() => {
      soon = false;
      show();
    }); // once for what changes together, such as a restored view
  };
  selection.subscribe(later);
  onActiveGraph(later);
  panes.subscribe(later);
  capture.subscribe(later);
}

function keyOf() {
  const now = selection.get();
  return JSON.stringify(now ? [now, graphs.get().has(now.gid)] : [activeShow(), activeGraph() !== null, capture.get()?.status]);
}

/** What needs no answer of the server; null: one node, whose details are to be fetched. */
function immediate() {
  const now = selection.get();
  const model = now ? (graphs.get().get(now.gid) ?? null) : activeGraph();
  const coming = now && panes.get().some((pane) => pane.show === now.gid);
  if (!model) return now?.names.length === 1 && !coming ? null : el("p", { class: "empty muted" }, withoutGraph());
  if (!now) return overview(model);
  if (now.group !== null) return groupDetails(model, now.group);
  const known = now.names.filter((name) => model.indexOf(name) >= 0);
  if (known.length === 0) return el("p", { class: "empty muted" }, `${now.gid} has no node called ${now.names.join(", ")}.`);
  return known.length > 1 ? severalDetails(model, known) : null;
}

function withoutGraph() {
  const now = capture.get();
  if (parseShow(activeShow()).graph && now && (isLive(now) || graphOf(now, activeShow()))) return "Loading the graph…";
  if (isStory(activeShow())) return "Choose a graph or a call of the story: what it consists of is shown here.";
  if (activeShow() === "" && (!now || isLive(now))) return "What a graph consists of is shown here, once there is one.";
  return "There is no graph here. Choose a stage that has one.";
}

/** @param {string} gid @param {string} name @param {AbortSignal} signal */
async function detailsOf(gid, name, signal) {
  const key = `${gid} ${name}`;
  const had = kept.get(key);
  if (had) return had;
  const answer = await getNode(/** @type {Api.Capture} */ (capture.get()).id, gid, name, signal);
  kept.set(key, answer);
  if (kept.size > KEPT) kept.delete([...kept.keys()][0]);
  return answer;
}

/** In a frame, where the page is laid out anyway. @param {HTMLElement} host */
function toTop(host) {
  requestAnimationFrame(() => (host.scrollTop = 0));
}
