// The export menu of a pane: pictures, paper, a file with everything, an embedded view, and the graph in the formats of others.

import { captureUrl, graphUrl } from "../../../api.js";
import { graphOf, isLive } from "../../../model/capture.js";
import { isMirror } from "../../../model/mirror/shows.js";
import { button, el, fill } from "../../dom.js";
import { icon } from "../../icon.js";
import { menu } from "../../menu.js";
import { isStandalone } from "../../where.js";
import { embedDialog } from "./embed.js";
import { pictureDialog } from "./picture.js";

/** Format, as what it is known, who reads it. @type {readonly [string, string, string][]} */
const FORMATS = [
  ["txt", "Text", "torch's own print"],
  ["json", "JSON", "networkx node-link"],
  ["dot", "DOT", "Graphviz"],
  ["graphml", "GraphML", "yEd, Gephi, Cytoscape"],
];

/** Of a graph of an exported program. @type {readonly [string, string, string]} */
const PROGRAM = ["pt2", "Program (.pt2)", "torch.export.load, without weights"];

/** @param {() => import("./picture.js").Pictures|null} pictures what the pane draws; null: nothing yet */
export function exportMenu(pictures) {
  const list = el("div", { class: "menu-list", role: "group", "aria-label": "Export this graph" });
  const face = [icon("export"), el("span", { class: "roomy-only" }, "Export")];
  const { element, close } = menu("exports", "Export this graph", face, list);
  /** @param {string} text @param {string} what @param {() => void} act */
  const item = (text, what, act) => {
    const made = button(text, {
      onclick: () => {
        close();
        act();
      },
    });
    made.append(el("span", { class: "muted" }, what));
    return made;
  };
  /** @param {string} id @param {boolean} live @param {string} gid @param {string} file @param {boolean} saved */
  const items = (id, live, gid, file, saved) => [
    item("Picture…", "PNG or SVG, any size", () => {
      const drawn = pictures();
      if (drawn) pictureDialog(drawn, gid, file);
    }),
    item("Print…", "or save as PDF", () => window.print()),
    ...(isStandalone() ? [] : fromServer(id, live, gid, file, saved)),
  ];
  /** @param {string} id @param {boolean} live @param {string} gid @param {string} file @param {boolean} saved */
  const fromServer = (id, live, gid, file, saved) => [
    live ? later("HTML file", "when the capture is done") : htmlFile(id),
    item("Embed…", "in a page of yours", () => embedDialog(id, `${document.title}: ${gid}`, location.hash)),
    ...(isMirror(gid) ? [] : [el("hr"), ...formats(id, gid, file, saved)]),
  ];
  let shown = "";
  return {
    element,
    /** @param {Api.Capture} now @param {string} gid "" when there is no graph */
    update(now, gid) {
      element.hidden = gid === "";
      const live = isLive(now);
      const saved = (graphOf(now, gid)?.program_bytes ?? 0) > 0;
      if (shown === `${now.id} ${live} ${gid} ${saved}`) return;
      shown = `${now.id} ${live} ${gid} ${saved}`;
      fill(list, ...items(now.id, live, gid, gid.replace(/[^A-Za-z0-9_.-]/g, "_"), saved));
    },
  };
}

/** What cannot be had yet. @param {string} text @param {string} why */
function later(text, why) {
  const made = button(text, { disabled: true });
  made.append(el("span", { class: "muted" }, why));
  return made;
}

/** A server takes no longer addresses; a view that is described by more is left out. */
const MOST_VIEW = 3500;

/** The address is made when the link is used: it holds the view as it is then. @param {string} id */
function htmlFile(id) {
  const address = `${captureUrl(id)}/export/html`;
  const link = el("a", { href: address, download: "" }, "HTML file", el("span", { class: "muted" }, "all of this page, works offline"));
  const update = () => {
    const view = encodeURIComponent(location.hash.slice(1));
    link.setAttribute("href", view.length <= MOST_VIEW ? `${address}?view=${view}` : address);
  };
  for (const when of ["pointerdown", "focus", "click"]) link.addEventListener(when, update);
  return link;
}

/** @param {string} id @param {string} gid @param {string} file @param {boolean} saved whether there is a program of it */
function formats(id, gid, file, saved) {
  return [...FORMATS, ...(saved ? [PROGRAM] : [])].map(([format, name, reader]) =>
    el(
      "a",
      { href: `${graphUrl(id, gid)}/export/${format}`, download: `${file}.${format}` },
      name,
      el("span", { class: "muted" }, reader),
    ),
  );
}
