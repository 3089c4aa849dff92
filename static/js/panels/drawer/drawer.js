// The drawer at the bottom: breaks and guards, printed output, failures. A row of tabs when it is closed.

import { targetsOf } from "../../model/capture.js";
import { capture, drawer, log } from "../../state.js";
import { button, el, fill } from "../dom.js";
import { bytes, count as decimal } from "../format.js";
import { icon } from "../icon.js";
import { tabRow } from "../tabs.js";
import { mountCharts } from "../charts/charts.js";
import { mountSurface } from "../surface/surface.js";
import { mountBreaks } from "./breaks.js";
import { mountCompilations } from "./compilations.js";
import { breaks } from "./facts.js";
import { mountFailures } from "./failures.js";
import { mountGuards } from "./guards.js";
import { mountOutput } from "./output.js";
import { mountTrace } from "./trace.js";
import { mountSaved } from "../mirror/drawer.js";

/** @type {[string, string, (host: HTMLElement) => void][]} a tab is one line here and one file */
const TABS = [
  ["breaks", "Breaks", mountBreaks],
  ["guards", "Guards", mountGuards],
  ["compilations", "Compile times", mountCompilations],
  ["trace", "Trace", mountTrace],
  ["saved", "Saved", mountSaved],
  ["operators", "Op surface", mountSurface],
  ["charts", "Charts", mountCharts],
  ["output", "Output", mountOutput],
  ["failures", "Failures", mountFailures],
];

/** The open tab without what it points at. @param {string} value @returns {string} */
function drawerTab(value) {
  return value.split(".")[0];
}

/** @param {HTMLElement} host */
export function mountDrawer(host) {
  const tabs = TABS.map(([id, title]) => ({
    id,
    title,
    panel: el("div", { class: `drawer-panel drawer-${id}`, id: `drawer-${id}` }),
  }));
  const close = button("", {
    class: "icon-button",
    title: "Close the drawer",
    "aria-label": "Close the drawer",
    onclick: () => {
      const open = drawerTab(drawer.get());
      drawer.set("");
      marks.focus(open); // the button is gone
    },
  });
  close.append(icon("close"));
  const row = el("div", { class: "tab-row" }, el("span", { class: "spring" }), close);
  fill(host, row, ...tabs.map((tab) => tab.panel));
  const marks = tabRow(row, tabs, {
    label: "Breaks, guards, trace, operators, charts, output, failures",
    onPick: (id) => drawer.set(drawerTab(drawer.get()) === id ? "" : id),
  });
  marks.hide("compilations", true); // until the capture is known to be of a log
  TABS.forEach(([, , mount], i) => mount(tabs[i].panel));
  const show = () => {
    const tab = drawerTab(drawer.get());
    const id = TABS.some(([each]) => each === tab) ? tab : "";
    host.classList.toggle("is-open", id !== "");
    close.hidden = id === "";
    marks.show(id);
  };
  const count = () => {
    const now = capture.get();
    if (!now) return;
    const stages = targetsOf(now).flatMap((target) => target.stages);
    const failures = stages.reduce((sum, stage) => sum + stage.failures.length, 0) + now.failures.length;
    marks.hide("compilations", now.source.kind !== "log");
    marks.say("breaks", String(breaks.get()?.length || ""));
    const guards = stages.reduce((sum, stage) => sum + stage.guards, 0);
    marks.say("guards", guards ? decimal(guards) : "");
    marks.say("output", log.get().text || now.log_bytes > 0 ? bytes(now.log_bytes || log.get().text.length) : "");
    marks.say("failures", String(failures || ""));
  };
  drawer.subscribe(show);
  for (const each of [capture, breaks, log]) each.subscribe(count);
  show();
}
