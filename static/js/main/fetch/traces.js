// Asks the server for the traces that only it can find, each once, and shows the graph in which the path lies.

import { asError } from "../../base/errors.js";
import { getTrace } from "../../api.js";
import { traceKey, traceWords } from "../../model/trace/trace.js";
import { capture, graphs, notice, panes, showBeside, tell, trace } from "../../state.js";
import { answers, asked } from "../../state/trace.js";
import { wantGraph } from "./loader.js";

/** @typedef {import("../../model/viewhash.js").Trace} Trace */

/** @type {Set<string>} */
const under = new Set();

export function followTraces() {
  for (const each of [trace, panes, capture]) each.subscribe(look);
  look();
}

function look() {
  const shown = panes.get().map((pane) => pane.only);
  for (const each of [trace.get(), ...shown]) if (each?.how === "gradient") want(each);
}

/** @param {Trace} wanted */
async function want(wanted) {
  const now = capture.get();
  const key = traceKey(wanted);
  const had = answers.get().get(key);
  const again = had instanceof Error && asked.has(key);
  if (!now || under.has(key)) return;
  if (had && !again) return show(wanted, had);
  under.add(key);
  if (again) asked.delete(key);
  /** @type {Api.Traced|Error} */
  let got;
  try {
    got = await getTrace(now.id, wanted);
    if (got.path) await wantGraph(got.path); // what is listed of it has names
  } catch (error) {
    got = asError(error);
  }
  under.delete(key);
  answers.set(new Map(answers.get()).set(key, got));
  if (trace.get() && traceKey(/** @type {Trace} */ (trace.get())) === key) show(wanted, got);
}

/** Once for every time it was asked for by hand. @param {Trace} wanted @param {Api.Traced|Error} got */
function show(wanted, got) {
  if (!asked.delete(traceKey(wanted))) return;
  if (got instanceof Error) return tell(got.message);
  const nodes = got.found.find((each) => each.graph === got.path)?.nodes.length ?? 0;
  if (nodes === 0 || got.gradients.length + got.starts.length === 0) tell(got.reason || `There is no ${traceWords(wanted)}`);
  else
    notice.set(
      `${traceWords(wanted)}: ${nodes} nodes of ${got.path}, ${got.gradients.length} gradients, ${got.saved.length} saved tensors`,
    );
  if (nodes && !panes.get().some((pane) => pane.show === got.path) && graphs.get().has(got.path)) showBeside(got.path);
}
