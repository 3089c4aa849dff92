// Fetches graphs, each once, into the `graphs` atom.

import { once } from "../../base/once.js";
import { getGraph } from "../../api.js";
import { GraphModel } from "../../model/graph.js";
import { capture, graphs, tell } from "../../state.js";
import { needed } from "../../state/need.js";

needed.subscribe((gids) => {
  for (const gid of gids) wantGraph(gid).catch((error) => tell(error.message));
});

/** @param {string} gid @returns {Promise<GraphModel>} */
export function wantGraph(gid) {
  const had = graphs.get().get(gid);
  return had ? Promise.resolve(had) : fetchGraph(gid);
}

const fetchGraph = once(async (gid) => {
  const now = capture.get();
  if (!now) throw new Error("no capture yet");
  const model = new GraphModel(await getGraph(now.id, gid));
  graphs.set(new Map(graphs.get()).set(gid, model));
  return model;
});
