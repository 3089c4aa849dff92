// The gallery: each example fills the editor.

import { button, el, fill } from "../dom.js";

/**
 * @param {HTMLElement} host @param {Api.Example[]} examples @param {(example: Api.Example) => void} onPick
 */
export function showExamples(host, examples, onPick) {
  const buttons = examples.map((example) => {
    const [title, subtitle] = split(example.title);
    const item = button("", { class: "example", onclick: () => pick(item, example) });
    item.append(el("span", { class: "example-title" }, title), el("span", { class: "muted" }, subtitle));
    item.title = example.text;
    return item;
  });
  const pick = (/** @type {HTMLElement} */ item, /** @type {Api.Example} */ example) => {
    for (const each of buttons) each.classList.toggle("picked", each === item);
    onPick(example);
  };
  fill(host, el("ul", { class: "plain" }, ...buttons.map((item) => el("li", {}, item))));
}

/** "Sin: the smallest graph" as name and remark. @param {string} title */
function split(title) {
  const cut = title.indexOf(":");
  return cut < 0 ? [title, ""] : [title.slice(0, cut), title.slice(cut + 1).trim()];
}
