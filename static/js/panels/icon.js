// The few icons, 16 by 16, drawn with the text's colour. Each is decoration: the control around it carries the words.

const PATHS = {
  done: "M3.5 8.5l3 3 6-7",
  failed: "M4 4l8 8M12 4l-8 8",
  skipped: "M4 8h8",
  queued: "M8 4.5V8l2.5 1.5M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8",
  running: "M8 1.8A6.2 6.2 0 1 1 1.8 8",
  cancelled: "M3.7 3.7l8.6 8.6M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8",
  sun: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3.1 3.1l1.1 1.1M11.8 11.8l1.1 1.1M12.9 3.1l-1.1 1.1M4.2 11.8l-1.1 1.1",
  moon: "M13 9.6A5.6 5.6 0 0 1 6.4 3 5.6 5.6 0 1 0 13 9.6",
  close: "M4 4l8 8M12 4l-8 8",
  link: "M6.7 9.3l2.6-2.6M7 4.6l1.5-1.5a3 3 0 0 1 4.3 4.3L11.4 9M9 11.4l-1.5 1.5a3 3 0 0 1-4.3-4.3L4.6 7",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  split: "M2.5 3h11v10h-11zM8 3v10",
  expand: "M4 6.5L8 3l4 3.5M4 9.5L8 13l4-3.5",
  collapse: "M4 3l4 3.5L12 3M4 13l4-3.5L12 13",
  down: "M4 6.5l4 4 4-4",
  right: "M6 4l4 4-4 4",
  up: "M8 13V3M4 7l4-4 4 4",
  export: "M8 2v8M5 7l3 3 3-3M2.5 13.5h11",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.4 10.4L14 14",
  file: "M4 1.8h5.2L12.5 5v9.2H4zM9 2v3.3h3.4",
  edit: "M2.5 13.5l.7-3L10.5 3.2l2.3 2.3-7.3 7.3zM9 4.7L11.3 7",
  trash: "M3 4.5h10M6.5 4V2.5h3V4M4.5 4.5l.6 9h5.8l.6-9",
  more: "M2.6 8a.6.6 0 1 0 1.2 0 .6.6 0 1 0-1.2 0M7.4 8a.6.6 0 1 0 1.2 0 .6.6 0 1 0-1.2 0M12.2 8a.6.6 0 1 0 1.2 0 .6.6 0 1 0-1.2 0",
  legend: "M2.5 3.2h3v3h-3zM8 4.7h5.5M2.5 9.8h3v3h-3zM8 11.3h5.5",
  group: "M2.5 2.5h11v11h-11zM5 5h2.5v2.5H5zM8.5 8.5H11V11H8.5z",
  locked: "M4 7.5h8v6H4zM5.5 7.5V5.2a2.5 2.5 0 0 1 5 0v2.3",
  unlocked: "M4 7.5h8v6H4zM5.5 7.5V5.2a2.5 2.5 0 0 1 4.8-1",
  target: "M8 3.6a4.4 4.4 0 1 0 0 8.8 4.4 4.4 0 0 0 0-8.8M8 1v4M8 11v4M1 8h4M11 8h4",
  mirror: "M8 1.5v13M5.5 4.5v7L1.5 12.5v-9zM10.5 4.5v7l4 1v-9z",
  story: "M3 2.5h6M3 6h10M3 9.5h5M3 13h9",
  branch: "M4.5 2.5v11M4.5 9.5c0-3.5 7-1.5 7-6.5M9 5.2L11.5 2.7 14 5.2",
  pin: "M5.5 2.5h5M6.5 2.5v3.8L4.3 9h7.4L9.5 6.3V2.5M8 9v4.5",
  break: "M3 3l3.5 3.5M9.5 9.5L13 13M6.5 9.5L3 13M13 3L9.5 6.5",
};

/** @typedef {keyof typeof PATHS} IconName */

/** @param {IconName} name @returns {SVGSVGElement} */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}
