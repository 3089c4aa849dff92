// Makes mirrors: what is saved, and both graphs, from the server, as one model; the last few are kept.

import { getGraph } from "../../api.js";
import { graphOf } from "../../model/capture.js";
import { GraphModel } from "../../model/graph.js";
import { MirrorModel } from "../../model/mirror/mirror.js";
import { backwardOf, forwardOf } from "../../model/mirror/shows.js";
import { wantMirror } from "../../panels/mirror/load.js";
import { capture, graphs } from "../../state.js";

/** Each holds some 10 MB for a graph of 10,000 nodes. */
const KEPT = 3;

/** @type {Map<string, Promise<MirrorModel>>} */
const kept = new Map();

/** @param {string} show of a mirror @returns {Promise<MirrorModel>} */
export function wantMirrorModel(show) {
  const forward = forwardOf(show);
  const key = `${forward} ${hasOther(forward)}`;
  const had = kept.get(key);
  kept.delete(key);
  const model = had ?? make(forward, backwardOf(show));
  kept.set(key, model);
  model.catch(() => kept.delete(key));
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT) break;
    kept.delete(oldest);
  }
  return model;
}

/** Whether the other partitioner's cut of the same joint graph is there: it may come later. @param {string} forward GID */
export function hasOther(forward) {
  const now = capture.get();
  const plain = forward.replace(/\.(min_cut|default)$/, "");
  const others = plain === forward ? [`${plain}.min_cut`, `${plain}.default`] : [plain];
  return (
    now !== null &&
    others.some((gid) => graphOf(now, gid) !== null && graphOf(now, gid.replace("forward", "backward")) !== null)
  );
}

/** @param {string} forward @param {string} backward */
async function make(forward, backward) {
  const now = capture.get();
  if (!now) throw new Error("no capture yet");
  const [answer, ahead, back] = await Promise.all([
    wantMirror(forward, hasOther(forward)),
    getGraph(now.id, forward),
    getGraph(now.id, backward),
  ]);
  for (const columns of [ahead, back])
    if (!graphs.get().has(columns.id)) graphs.set(new Map(graphs.get()).set(columns.id, new GraphModel(columns)));
  return new MirrorModel(answer, ahead, back);
}
