// A line at the bottom that says for a moment what did not happen, or what was done out of sight.

import { told } from "../state.js";

const SHOWN_MS = 4000;

/** @param {HTMLElement} host with role status */
export function mountToast(host) {
  let timer = 0;
  told.subscribe(({ words }) => {
    host.textContent = words;
    host.classList.add("is-shown");
    clearTimeout(timer);
    timer = window.setTimeout(() => host.classList.remove("is-shown"), SHOWN_MS);
  });
}
