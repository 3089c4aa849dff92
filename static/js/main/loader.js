// Fetches graphs, each once, into the `graphs` atom.

import { getGraph } from "../api.js";
import { GraphModel } from "../model/graph.js";
import { capture, graphs, tell } from "../state.js";
import { needed } from "../state/need.js";

/** @type {Map<string, Promise<GraphModel>>} */
const under = new Map();

needed.subscribe((gids) => {
  for (const gid of gids) wantGraph(gid).catch((error) => tell(error.message));
});

/** @param {string} gid @returns {Promise<GraphModel>} */
export function wantGraph(gid) {
  const had = graphs.get().get(gid);
  if (had) return Promise.resolve(had);
  const running = under.get(gid);
  if (running) return running;
  const work = fetchGraph(gid).finally(() => under.delete(gid));
  under.set(gid, work);
  return work;
}

/** @param {string} gid */
async function fetchGraph(gid) {
  const now = capture.get();
  if (!now) throw new Error("no capture yet");
  const model = new GraphModel(await getGraph(now.id, gid));
  graphs.set(new Map(graphs.get()).set(gid, model));
  return model;
}
