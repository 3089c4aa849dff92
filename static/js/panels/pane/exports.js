// The export menu of a pane: torch's print, networkx JSON, and the drawing as SVG.

import { graphUrl } from "../../api.js";
import { isMirror } from "../../model/mirror/shows.js";
import { button, el, fill } from "../dom.js";
import { icon } from "../icon.js";
import { menu } from "../menu.js";

/** @param {() => string} svg */
export function exportMenu(svg) {
  const list = el("div", { class: "menu-list", role: "group", "aria-label": "Export this graph" });
  const face = [icon("export"), el("span", { class: "roomy-only" }, "Export")];
  const { element } = menu("exports", "Export this graph", face, list);
  return {
    element,
    /** @param {string} id @param {string} gid "" when there is no graph */
    update(id, gid) {
      element.hidden = gid === "";
      const file = gid.replace(/[^A-Za-z0-9_.-]/g, "_");
      const texts = () => [
        el(
          "a",
          { href: `${graphUrl(id, gid)}/export/txt`, download: `${file}.txt` },
          "Text",
          el("span", { class: "muted" }, "torch's own print"),
        ),
        el(
          "a",
          { href: `${graphUrl(id, gid)}/export/json`, download: `${file}.json` },
          "JSON",
          el("span", { class: "muted" }, "networkx node-link"),
        ),
      ];
      fill(
        list,
        ...(isMirror(gid) ? [] : texts()),
        button("SVG", {
          onclick: () => {
            save(svg(), `${file}.svg`);
            element.open = false;
          },
        }),
      );
      list.lastElementChild?.append(el("span", { class: "muted" }, "the drawing as it stands"));
    },
  };
}

/** @param {string} text @param {string} name */
function save(text, name) {
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
