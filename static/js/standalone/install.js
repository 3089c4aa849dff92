// What the page asks of the server is answered from the file, and its worker is started from the file.

import { answerFrom } from "../api.js";
import { startWorkersBy } from "../layout/client.js";
import { Kept } from "./kept.js";

const { view, worker } = document.documentElement.dataset;

/** @type {Map<string, Element>} */
const pieces = new Map();
for (const piece of document.querySelectorAll("script[data-kept]")) pieces.set(piece.getAttribute("data-kept") ?? "", piece);

/** @type {import("./kept.js").Read} */
async function read(name) {
  const piece = pieces.get(name);
  if (!piece) throw new Error(`${name} is not in this file`);
  const bytes = Uint8Array.from(atob(piece.textContent ?? ""), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return { status: Number(piece.getAttribute("data-status")), text: await new Response(stream).text() };
}

if (view && location.hash.length < 2 && location.protocol !== "about:") history.replaceState(null, "", `#${view}`);
const kept = new Kept(pieces.keys(), read);
answerFrom((path, init) => kept.answer(path, init));
// Not a module: where a page was opened from disk, no worker may be one.
if (worker) startWorkersBy(() => new Worker(worker, { name: "layout" }));
