/**
 * What the layered layout of one group is asked and answers. Ends are numbered: children 0 .. n-1, then the ports on the
 * upper border, then those on the lower border.
 *
 * @typedef {object} Problem
 * @property {number} children
 * @property {Float64Array} w widths of the children, even
 * @property {Float64Array} h
 * @property {Int32Array} rank of the children, from 0
 * @property {Uint8Array} labels of edges that are not drawn: 1 below a child, 2 above it (where the drawing will be turned, beside it)
 * @property {number} upperPorts on the group's own border
 * @property {number} lowerPorts
 * @property {number} edges
 * @property {Int32Array} upper end
 * @property {Int32Array} lower end
 * @property {Float64Array} upperAt where at its upper end the edge leaves, from the middle; NaN: layout may choose
 * @property {Float64Array} lowerAt where at its lower end it enters
 * @property {Int32Array} net edges of one net leave the same place and share a trunk
 * @property {Int32Array} above by edge: length of the longest path that comes to its upper end, in the whole graph
 * @property {Int32Array} below and of the longest that goes on from its lower end
 * @property {Uint8Array} drawn 0: takes no room, but its upper end stays above its lower one
 * @property {number} minWidth of the group
 * @property {number} minHeight
 * @property {number} header free height above the content, for a title bar; 0 for the top
 * @property {number} side free width left of the content, for a title bar where the drawing will be turned
 * @property {number} boxGap between boxes of a rank
 * @property {number} tall a drawing of more height is wrapped into columns
 * @property {number} turned 1: the drawing will be turned, so that it flows to the right
 * @property {Int32Array} identity of children: with the rest of the problem it decides the answer
 *
 * @typedef {object} Layout relative to the group's left top corner
 * @property {number} w
 * @property {number} h
 * @property {Float64Array} x left sides of the children
 * @property {Float64Array} y
 * @property {Float64Array} upperX of the ports on the upper border
 * @property {Float64Array} lowerX
 * @property {boolean} rough lines would be untangled further if there were more time
 * @property {boolean} wrapped it stands in columns
 * @property {Uint8Array} cut by edge: 1: too long to be drawn
 * @property {Int32Array} start edges + 1 offsets into points, in pairs
 * @property {Float32Array} points from the upper to the lower end; of a cut edge none
 */

/** Distances between things, in world units. */
export const GAP = Object.freeze({
  box: 24, // between boxes of a rank
  boxBelow: 34, // between boxes of a rank that stand below each other: room for the label of an edge too long to draw
  boxLine: 14, // between a box and a line that passes it
  line: 10, // between two lines
  pad: 16, // free inside a border
  label: 28, // free beside a box for the end of an edge that is not drawn, with its label
  rank: 34, // between ranks: room for a bend and an arrow head
  leave: 12, // straight out of a box
  enter: 16, // straight into a box, with its arrow head
  track: 8, // between horizontal lines of different values
});

/**
 * Least distance between the middles of neighbours in a rank.
 * @param {import("./layers.js").Layered} layered
 * @param {number} a
 * @param {number} b
 */
export function distance({ half, children, boxGap }, a, b) {
  const boxes = (a < children ? 1 : 0) + (b < children ? 1 : 0);
  return half[a] + half[b] + (boxes === 2 ? boxGap : boxes === 1 ? GAP.boxLine : GAP.line);
}
