/**
 * How far the points of a scene's lines are away from where they end up, so that lines keep to their boxes and to the axes while
 * the boxes move.
 *
 * Every point of a run along one axis moves as far across it as the others: the first run goes with the box in which a line begins, the
 * last one with that in which it ends. A run between them keeps its place between the two ends in the direction of the flow, and across it
 * its place in the open group around the line.
 */

/**
 * @typedef {import("../drawing.js").Drawing} Drawing
 * @typedef {import("./boxes.js").Boxes} Boxes
 *
 * @typedef {object} Line a line whose points are moved
 * @property {number} first index of a point
 * @property {number} last index of the point after the last one
 * @property {Float64Array} ends how far the first point is away, x and y, and the last one
 */

/**
 * @param {Drawing} full @param {Boxes} boxes
 * @returns {Float32Array} x, y, x, y ... to add to the points of the scene's edges
 */
export function linesAway(full, boxes) {
  const { edges, flow } = full.scene;
  const away = new Float32Array(edges.points.length);
  const along = flow === "right" ? 0 : 1;
  const ends = new Float64Array(4);
  for (let e = 0; e < edges.count; e++) {
    const line = { first: edges.start[e], last: edges.start[e + 1], ends };
    if (line.last - line.first < 2) continue;
    const [from, to] = [edges.from[e], edges.to[e]];
    const inside = boxes.within[from] >= 0 && boxes.within[from] === boxes.within[to];
    endAway(full, boxes, inside || boxes.within[from] < 0 ? from : boxes.within[from], from, line.first, ends, 0);
    endAway(full, boxes, inside || boxes.within[to] < 0 ? to : boxes.within[to], to, line.last - 1, ends, 2);
    if (edges.stub[e]) tailsAway(away, line);
    else {
      runsAway(edges.points, away, line, along, betweenEnds(edges.points, line, along));
      runsAway(edges.points, away, line, 1 - along, inGroup(full, boxes, edges.owner[e], 1 - along));
    }
  }
  return away;
}

/**
 * How far the end of a line is away: at the same part of a box's side.
 * @param {Drawing} full @param {Boxes} boxes @param {number} box at which it is in the emptier scene: its own, or the growing group's where
 *   the line leads out of it @param {number} item its own @param {number} point @param {Float64Array} ends @param {number} at where to write it
 */
function endAway({ scene: { items, edges } }, boxes, box, item, point, ends, at) {
  const x = edges.points[2 * point];
  const y = edges.points[2 * point + 1];
  ends[at] = boxes.x[box] + (boxes.w[box] * (x - items.x[item])) / Math.max(items.w[item], 1) - x;
  ends[at + 1] = boxes.y[box] + (boxes.h[box] * (y - items.y[item])) / Math.max(items.h[item], 1) - y;
}

/** The two ends of a line too long to draw. @param {Float32Array} away @param {Line} line */
function tailsAway(away, { first, last, ends }) {
  for (let point = first; point < last; point++) {
    const at = point < first + 2 ? 0 : 2;
    away[2 * point] = ends[at];
    away[2 * point + 1] = ends[at + 1];
  }
}

/** @typedef {(at: number) => number} Away how far a run is away, by where it is */

/** @param {Float32Array} points @param {Line} line @param {number} axis @returns {Away} as far as its place between the ends says */
function betweenEnds(points, { first, last, ends }, axis) {
  const start = points[2 * first + axis];
  const length = points[2 * last - 2 + axis] - start;
  return (at) => {
    const part = Math.abs(length) < 1 ? 0.5 : Math.min(1, Math.max(0, (at - start) / length));
    return ends[axis] + (ends[axis + 2] - ends[axis]) * part;
  };
}

/** @param {Drawing} full @param {Boxes} boxes @param {number} group item; -1: the whole drawing @param {number} axis @returns {Away} as far as its place in the group says */
function inGroup({ scene: { items, width, height } }, boxes, group, axis) {
  const { whole } = boxes;
  const [from, size] = group < 0 ? [0, axis ? height : width] : axis ? [items.y[group], items.h[group]] : [items.x[group], items.w[group]];
  const there = group < 0 ? whole : { x: boxes.x[group], y: boxes.y[group], w: boxes.w[group], h: boxes.h[group] };
  const [to, room] = axis ? [there.y, there.h] : [there.x, there.w];
  return (at) => to + ((at - from) * room) / Math.max(size, 1) - at;
}

/** @param {Float32Array} points @param {Float32Array} away @param {Line} line @param {number} axis 0: x, 1: y @param {Away} between of the runs between the ends */
function runsAway(points, away, { first, last, ends }, axis, between) {
  for (let from = first; from < last; ) {
    let to = from + 1;
    while (to < last && Math.abs(points[2 * to + axis] - points[2 * from + axis]) < 0.5) to++;
    const straight = from === first && to === last; // both ends in one run: it slants while its boxes move apart
    const far = from === first ? ends[axis] : to === last ? ends[axis + 2] : between(points[2 * from + axis]);
    for (let point = from; point < to; point++) {
      const part = straight ? (point - first) / (last - 1 - first) : 0;
      away[2 * point + axis] = far + (ends[axis + 2] - far) * part;
    }
    from = to;
  }
}
