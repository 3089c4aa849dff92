// Files and folders by drop or by picker. One .py file goes into the editor, where it can be read and changed; anything else is
// sent as it is. Of several, the server finds the one to capture, unless it is chosen here.

import { button, el, fill } from "../dom.js";
import { bytes } from "../format.js";
import { icon } from "../icon.js";
import { dropped, leftOut, pathOf, put } from "./folders.js";

const EDITABLE_BYTES = 1024 * 1024;
const SHOWN = 8;
const ACCEPTED = ".py,.ipynb,.zip,.pt2,.pt,.pth,.pkl,.ckpt,.bin,.safetensors,.log,.gz";

/**
 * @param {{onCode: (code: string, name: string) => void, onFiles: (files: File[]) => void, dropOn: HTMLElement,
 *   editorFile: () => File|null}} options `editorFile`: what stands in the editor
 * @returns {{element: HTMLElement, chosen: HTMLElement, clear: () => void, add: (files: File[]) => void, entry: () => string, askEntry: () => void}}
 */
export function filePicker({ onCode, onFiles, dropOn, editorFile }) {
  /** @type {File[]} */
  let files = [];
  const input = picker("file", { accept: ACCEPTED });
  const folder = picker("folder", { webkitdirectory: true });
  const chosen = el("div", { class: "chosen-files" });
  const field = el("div", { class: "entry-field" });
  const show = () => {
    const chips = files.slice(0, SHOWN).map((file) => chip(file, () => set(files.filter((other) => other !== file))));
    const more = files.length > SHOWN && el("span", { class: "muted" }, `and ${files.length - SHOWN} more`);
    const add = wantsCode(files) && button("Send with the code in the editor", { class: "link", onclick: addEditor });
    const remove = files.length > 1 && button("Remove all", { class: "link", onclick: () => set([]) });
    const pressed = removers(chosen).findIndex((each) => each === document.activeElement);
    const inside = chosen.contains(document.activeElement);
    const entry = entryIn(field)?.value ?? "";
    fill(field, entryField(files, entry));
    fill(chosen, ...chips, more, add, remove, field);
    const left = removers(chosen);
    if (inside) (left[Math.min(Math.max(pressed, 0), left.length - 1)] ?? input).focus(); // what had the focus is gone
  };
  const set = (/** @type {File[]} */ list) => {
    files = list;
    show();
    onFiles(files);
  };
  const addEditor = () => {
    const file = editorFile();
    if (file) set([file, ...files]);
  };
  const take = async (/** @type {File[]} */ list) => {
    input.value = folder.value = "";
    if (!list.length) return;
    const code = list.length === 1 && !files.length ? await editable(list[0]) : null;
    if (code !== null) {
      set([]);
      onCode(code, list[0].name);
      return;
    }
    const paths = new Set(list.map(pathOf));
    set([...files.filter((file) => !paths.has(pathOf(file))), ...list]);
  };
  for (const each of [input, folder]) each.addEventListener("change", () => take(picked(each)));
  listenForDrops(dropOn, take);
  return {
    element: el(
      "div",
      { class: "drop" },
      input,
      el("label", { class: "button", for: "file" }, icon("file"), "Choose files…"),
      folder,
      el("label", { class: "link folder-link", for: "folder" }, "or a folder"),
      el("span", { class: "muted drop-hint" }, "or drop them anywhere"),
    ),
    chosen,
    clear: () => set([]),
    add: (list) => set(list),
    entry: () => entryIn(field)?.value.trim() ?? "",
    askEntry: () => entryIn(field)?.focus(),
  };
}

/** @param {HTMLElement} chosen @returns {HTMLElement[]} */
const removers = (chosen) => [.../** @type {NodeListOf<HTMLElement>} */ (chosen.querySelectorAll(".chip-remove"))];

/** @param {HTMLElement} field @returns {HTMLSelectElement|HTMLInputElement|null} */
const entryIn = (field) => field.querySelector("select, input");

/** @param {string} id @param {Record<string, string|boolean>} more */
function picker(id, more) {
  return el("input", { type: "file", id, multiple: true, class: "visually-hidden", ...more });
}

/** @param {HTMLInputElement} input @returns {File[]} */
function picked(input) {
  const list = [...(input.files ?? [])];
  for (const file of list) if (file.webkitRelativePath) put(file, file.webkitRelativePath);
  return input.id === "folder" ? list.filter((file) => !leftOut(pathOf(file))) : list;
}

/** @param {File} file @param {() => void} onRemove */
function chip(file, onRemove) {
  return el(
    "span",
    { class: "file-chip" },
    icon("file"),
    pathOf(file),
    el("span", { class: "muted" }, ` ${bytes(file.size)}`),
    button("×", { class: "chip-remove", "aria-label": `Remove ${pathOf(file)}`, onclick: onRemove }),
  );
}

/** Weights and pickles have their code elsewhere. @param {File[]} files */
function wantsCode(files) {
  return files.length > 0 && files.every((file) => /\.(pt|pth|pkl|ckpt|bin|safetensors)$/i.test(file.name));
}

/** Where the file to capture is chosen, when there may be several. @param {File[]} files @param {string} chosen before */
function entryField(files, chosen) {
  const zip = files.length === 1 && /\.zip$/i.test(files[0].name);
  const names = files.map(pathOf).filter((path) => /\.(py|ipynb|pt2|pt|pth|pkl)$/i.test(path) && !/(^|\/)__init__\.py$/.test(path));
  if (!zip && names.length < 2) return false;
  const options = [el("option", { value: "" }, "found by itself"), ...names.map((name) => el("option", { value: name, selected: name === chosen }, name))];
  return el(
    "label",
    {},
    "File to capture ",
    zip
      ? el("input", { type: "text", placeholder: "found by itself", spellcheck: "false", autocomplete: "off" })
      : el("select", {}, ...options),
  );
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
    async (event) => {
      if (!carries(event) || !event.dataTransfer) return;
      event.preventDefault();
      event.stopPropagation();
      mark(0);
      take((await dropped(event.dataTransfer)).filter((file) => !leftOut(pathOf(file))));
    },
    true,
  );
}
