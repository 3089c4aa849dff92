// A figure in the colours and letters of the page. No DOM: what a colour is, is asked of `read`.

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
const SIZE = 12;
/** More tiles than this leave each other no room for wide edges. */
const MANY = 300;

/** @typedef {(property: string) => string} Read the value of a custom property such as `--text` */

/** @param {Api.Figure} figure @param {Read} read @returns {Api.Figure} */
export function themed({ data, layout }, read) {
  return { data: data.map((trace) => (trace.type === "treemap" ? treemap(trace, read) : bars(trace, read))), layout: framed(layout, read) };
}

/** @param {{[key: string]: any}} trace @param {Read} read */
function bars(trace, read) {
  return { ...trace, marker: { ...trace.marker, color: read(`--${trace.meta.colour}`), line: { width: 0 } } };
}

/** A tile around others is part of the ground. @param {{[key: string]: any}} trace @param {Read} read */
function treemap(trace, read) {
  const many = trace.meta.colours.length > MANY;
  const colours = trace.meta.colours.map((/** @type {string} */ name) => read(name === "ground" ? "--hover" : `--${name}`));
  return {
    ...trace,
    marker: { ...trace.marker, colors: colours, line: { color: read("--surface"), width: 1 }, pad: many ? { t: 13, l: 1, r: 1, b: 1 } : { t: 20, l: 3, r: 3, b: 3 } },
    tiling: { pad: many ? 1 : 2 },
    root: { color: read("--hover") },
    pathbar: { textfont: { color: read("--text") } },
    textfont: { family: FONT, size: many ? SIZE - 2 : SIZE },
  };
}

/** @param {{[key: string]: any}} layout @param {Read} read */
function framed(layout, read) {
  const [text, muted, line] = [read("--text"), read("--muted"), read("--line")];
  const axis = {
    automargin: true,
    fixedrange: true,
    gridcolor: line,
    linecolor: line,
    zerolinecolor: line,
    tickfont: { color: muted },
  };
  const { xaxis, yaxis, annotations } = layout;
  return {
    ...layout,
    autosize: true,
    dragmode: false,
    bargap: 0.25,
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: FONT, size: SIZE, color: text },
    margin: xaxis ? { l: 8, r: 8, t: 30, b: 8 } : { l: 0, r: 0, t: 4, b: 0 },
    uniformtext: { minsize: 9, mode: "hide" },
    legend: { orientation: "h", traceorder: "normal", x: 0, y: 1, yanchor: "bottom", font: { color: text } },
    hoverlabel: { bgcolor: read("--surface"), bordercolor: read("--line-strong"), font: { family: FONT, size: SIZE, color: text } },
    ...(xaxis && { xaxis: { ...xaxis, ...axis, showgrid: false } }),
    ...(yaxis && { yaxis: { ...yaxis, ...axis, rangemode: "tozero", title: { ...yaxis.title, font: { color: muted, size: SIZE } } } }),
    ...(annotations && { annotations: annotations.map((/** @type {any} */ note) => ({ ...note, font: { color: text, size: SIZE } })) }),
  };
}
