// Fetches the links of pairs of graphs, each pair once, one after the other: first those between the graphs that are shown.

import { getLinks } from "../../api.js";
import { graphOf, parseShow } from "../../model/capture.js";
import { Links } from "../../model/kin/links.js";
import { backwardOf, forwardOf, isMirror } from "../../model/mirror/shows.js";
import { capture, graphs, panes, selection } from "../../state.js";
import { links, pairKey, wanted } from "../../state/kin.js";

/** After this long a new selection asks again for what could not be had. */
const AGAIN_MS = 10_000;

let busy = false;
/** When the links of a pair could not be had. @type {Map<string, number>} */
const lostAt = new Map();

/** Starts following what is shown and selected. */
export function followLinks() {
  for (const each of [panes, selection, graphs, wanted]) each.subscribe(() => next());
  capture.subscribe((now, before) => {
    if (now && before && now.status !== before.status) lostAt.clear(); // what a capture does not know while it runs
    next();
  });
  next();
}

/** The graphs in the panes that are here. */
function shownGraphs() {
  const now = capture.get();
  const shows = panes.get().flatMap(({ show }) => (isMirror(show) ? [forwardOf(show), backwardOf(show)] : [show]));
  return [...new Set(shows)].filter((gid) => now && graphOf(now, gid));
}

/** Pairs in the order in which they are wanted. @returns {[string, string][]} */
function wantedPairs() {
  const shown = shownGraphs();
  const chosen = selection.get()?.gid;
  /** @type {[string, string][]} */
  const pairs = [];
  if (chosen) pairs.push(...shown.map((gid) => /** @type {[string, string]} */ ([chosen, gid])));
  for (let i = 0; i < shown.length; i++) for (let j = i; j < shown.length; j++) pairs.push([shown[i], shown[j]]);
  if (chosen) pairs.push(...wanted.get().map((gid) => /** @type {[string, string]} */ ([chosen, gid])));
  return pairs.filter(mayBeKin);
}

/** Only graphs of one target have links; within a graph only forward and backward nodes have. @param {[string, string]} pair */
function mayBeKin([a, b]) {
  if (a === b) return parseShow(a).stage === "joint";
  return parseShow(a).target === parseShow(b).target;
}

/** Fetches the next pair that is missing, unless one is under way. */
async function next() {
  const now = capture.get();
  if (busy || !now) return;
  const pair = wantedPairs().find(([a, b]) => isMissing(pairKey(a, b)) && graphOf(now, a) && graphOf(now, b));
  if (!pair) return;
  busy = true;
  const key = pairKey(...pair);
  const got = await fetchLinks(now, ...pair);
  if (got) lostAt.delete(key);
  else lostAt.set(key, performance.now());
  busy = false;
  links.set(new Map(links.get()).set(key, got));
  next();
}

/** @param {string} key */
function isMissing(key) {
  const had = links.get().get(key);
  return had === undefined || (had === null && performance.now() - (lostAt.get(key) ?? -AGAIN_MS) >= AGAIN_MS);
}

/** @param {Api.Capture} now @param {string} a @param {string} b @returns {Promise<Links|null>} null: not to be had */
async function fetchLinks(now, a, b) {
  try {
    const answer = await getLinks(now.id, a, b);
    return new Links(answer, graphOf(now, a)?.nodes ?? 0, graphOf(now, b)?.nodes ?? 0);
  } catch {
    return null; // the panes say so, and show what comes from the same source line
  }
}
