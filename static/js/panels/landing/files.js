// Files by drop or by picker. One .py file goes into the editor, where it can be read and changed; anything else is sent as it is.

import { button, el, fill } from "../dom.js";
import { bytes } from "../format.js";
import { icon } from "../icon.js";

const EDITABLE_BYTES = 1024 * 1024;

/**
 * @param {{onCode: (code: string, name: string) => void, onFiles: (files: File[]) => void, dropOn: HTMLElement}} options
 * @returns {{element: HTMLElement, clear: () => void}}
 */
export function filePicker({ onCode, onFiles, dropOn }) {
  const input = el("input", { type: "file", id: "file", accept: ".py,.pt2", multiple: true, class: "visually-hidden" });
  const chosen = el("div", { class: "chosen-files" });
  const show = (/** @type {File[]} */ list) => {
    fill(
      chosen,
      ...list.map((file) =>
        el("span", { class: "file-chip" }, icon("file"), file.name, el("span", { class: "muted" }, ` ${bytes(file.size)}`)),
      ),
      list.length > 0 && button("Remove", { class: "link", onclick: () => take([]) }),
    );
  };
  const take = async (/** @type {File[]} */ list) => {
    const code = list.length === 1 ? await editable(list[0]) : null;
    const sent = code === null ? list : [];
    show(sent);
    onFiles(sent);
    if (code !== null) onCode(code, list[0].name);
    input.value = "";
  };
  input.addEventListener("change", () => take([...(input.files ?? [])]));
  listenForDrops(dropOn, take);
  const label = el("label", { class: "button", for: "file" }, icon("file"), "Choose a file…");
  const element = el(
    "div",
    { class: "drop" },
    input,
    label,
    el("span", { class: "muted drop-hint" }, "or drop a .py or .pt2 file anywhere"),
    chosen,
  );
  return {
    element,
    clear: () => {
      show([]);
      onFiles([]);
    },
  };
}

/** The file's text, when it is Python that can be edited here. @param {File} file @returns {Promise<string|null>} */
async function editable(file) {
  if (!/\.py$/i.test(file.name) || file.size > EDITABLE_BYTES) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return null; // not UTF-8: the server says so, with what to do
  }
}

/** @param {HTMLElement} target @param {(files: File[]) => void} take */
function listenForDrops(target, take) {
  let depth = 0;
  const mark = (/** @type {number} */ step) => {
    depth = step === 0 ? 0 : Math.max(0, depth + step);
    target.classList.toggle("dropping", depth > 0);
  };
  const carries = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files") ?? false;
  target.addEventListener("dragenter", (event) => {
    if (carries(event)) mark(1);
  });
  target.addEventListener("dragleave", (event) => {
    if (carries(event)) mark(-1);
  });
  target.addEventListener("dragover", (event) => {
    if (carries(event)) event.preventDefault();
  });
  target.addEventListener(
    "drop",
    (event) => {
      if (!carries(event)) return;
      event.preventDefault();
      event.stopPropagation();
      mark(0);
      take([...(event.dataTransfer?.files ?? [])]);
    },
    true,
  );
}
