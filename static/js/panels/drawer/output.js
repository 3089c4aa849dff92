// What the person's code printed. While it runs, the text grows and the end stays in sight.

import { capture, log } from "../../state.js";
import { el, fill } from "../dom.js";
import { bytes } from "../format.js";

/** @param {HTMLElement} host */
export function mountOutput(host) {
  const text = el("pre", { class: "log", tabindex: "0", "aria-label": "Printed output" });
  const cut = el("p", { class: "muted" });
  const show = () => {
    const now = log.get();
    if (!now.text) {
      return fill(
        host,
        el(
          "p",
          { class: "empty muted" },
          capture.get()?.status === "running" ? "Nothing printed yet." : "The code printed nothing.",
        ),
      );
    }
    const atEnd = host.scrollHeight - host.scrollTop - host.clientHeight < 30;
    text.textContent = now.text;
    cut.textContent = now.cut ? `${bytes(now.cut)} more were printed and not kept.` : "";
    if (text.parentNode !== host) fill(host, text, cut);
    if (atEnd && capture.get()?.status === "running") host.scrollTop = host.scrollHeight;
  };
  log.subscribe(show);
  capture.subscribe(show);
  show();
}
