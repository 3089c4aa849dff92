// Entry of a standalone file: what the page asks of the server is answered from the file, and so is what a worker runs.

import { answerFrom } from "../api.js";
import { startWorkersBy } from "../layout/client.js";
import { Kept } from "./kept.js";

const WORKER = "js/layout/worker.js";

/**
 * @param {import("./kept.js").Pieces} pieces what the file holds
 * @param {{worker: [string, string][], workerboot: string}} scripts path and text of the worker's modules, and what starts them
 */
export async function start(pieces, { worker, workerboot }) {
  const { view } = document.documentElement.dataset;
  if (view && location.hash.length < 2) history.replaceState(null, "", `#${view}`);
  const kept = new Kept(pieces);
  answerFrom((path, init) => kept.answer(path, init));
  const address = URL.createObjectURL(new Blob([workerboot], { type: "text/javascript" }));
  startWorkersBy(() => {
    const made = new Worker(address, { name: "layout" });
    made.postMessage({ modules: worker, entry: WORKER });
    return made;
  });
  await import("../main.js");
}
