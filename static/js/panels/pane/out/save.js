// Gives the person a file that was made in the page.

import { el } from "../../dom.js";

/** @param {Blob} content @param {string} name */
export function save(content, name) {
  const url = URL.createObjectURL(content);
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
