// What stands in the form, kept over reloads and failed submits.

import { readStored, store } from "../stored.js";

/** @typedef {{code: string, name: string, inputs: string, second: string, construct: string, options: {[name: string]: any}}} Draft */

/** What a first visitor finds in the editor. */
const FIRST = `import torch


class Sin(torch.nn.Module):
    def forward(self, x):
        return torch.sin(x).sum()


ep = torch.export.export(Sin(), (torch.randn(4),))
print(ep.graph)
`;

/** @returns {Draft} */
export function readDraft() {
  const draft = readStored("draft", /** @type {Partial<Draft>} */ ({}));
  const text = (/** @type {unknown} */ value, /** @type {string} */ fallback) => (typeof value === "string" ? value : fallback);
  return {
    code: text(draft?.code, FIRST),
    name: text(draft?.name, "model.py"),
    inputs: text(draft?.inputs, ""),
    second: text(draft?.second, ""),
    construct: text(draft?.construct, ""),
    options: draft?.options && typeof draft.options === "object" ? draft.options : {},
  };
}

/** @param {Draft} draft */
export function saveDraft(draft) {
  store("draft", draft);
}
