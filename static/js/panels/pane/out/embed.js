// The dialog with the code that shows this view inside another page.

import { notice } from "../../../state.js";
import { button, el } from "../../dom.js";

/** @param {string} id of the capture @param {string} title @param {string} hash the view */
export function embedDialog(id, title, hash) {
  const code = el("textarea", { class: "embed-code", readonly: true, spellcheck: "false", "aria-label": "HTML of the frame" });
  code.value = frameCode(`${location.origin}/embed/${encodeURIComponent(id)}${hash}`, title);
  const said = el("span", { role: "status" });
  const copy = button("Copy", {
    class: "primary",
    onclick: async () => {
      code.select();
      try {
        await navigator.clipboard.writeText(code.value);
        said.textContent = "Copied";
        notice.set("The code is on the clipboard");
      } catch {
        said.textContent = "Selected: press Ctrl+C";
      }
    },
  });
  const dialog = el(
    "dialog",
    { class: "help embed", "aria-labelledby": "embed-title" },
    el("header", {}, el("h2", { id: "embed-title" }, "Embed this view"), button("Close", { onclick: () => dialog.close() })),
    el("p", { class: "muted" }, "Whoever sees the page it is put into sees the graph as it stands now, and can explore it. It needs this server."),
    code,
    el("div", { class: "embed-row" }, copy, said),
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {string} address @param {string} title */
function frameCode(address, title) {
  const frame = document.createElement("iframe");
  for (const [name, value] of Object.entries({ src: address, title, width: "900", height: "600", loading: "lazy", allow: "clipboard-write" }))
    frame.setAttribute(name, value);
  return frame.outerHTML;
}
