// The theme: the system's until the person chooses; a choice is remembered. Tells the window, since canvas colours are read once.

import { button } from "../dom.js";
import { icon } from "../icon.js";
import { readStored, store } from "../stored.js";

const KEY = "theme";

/** @param {"light"|"dark"} theme */
function apply(theme) {
  if (document.documentElement.dataset.theme === theme) return;
  document.documentElement.dataset.theme = theme;
  window.dispatchEvent(new Event("themechange"));
}

/** @returns {HTMLButtonElement} the toggle */
export function themeButton() {
  const toggle = button("", { class: "icon-button" });
  const show = () => {
    const dark = document.documentElement.dataset.theme === "dark";
    const label = dark ? "Light theme" : "Dark theme";
    toggle.title = label;
    toggle.setAttribute("aria-label", label);
    toggle.replaceChildren(icon(dark ? "sun" : "moon"));
  };
  toggle.addEventListener("click", () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    store(KEY, next);
    apply(next);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => {
    if (readStored(KEY, "") === "") apply(event.matches ? "dark" : "light");
  });
  window.addEventListener("themechange", show);
  show();
  return toggle;
}
