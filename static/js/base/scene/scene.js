/**
 * The Scene: what layout hands to render. World units are CSS pixels at zoom 1; y grows downwards. Items are in
 * pre-order: a group precedes what it holds.
 *
 * @typedef {object} SceneItems
 * @property {number} count
 * @property {Uint8Array} kind 0 node, 1 closed group, 2 open group
 * @property {Int32Array} ref node index, or group index
 * @property {Float32Array} x left
 * @property {Float32Array} y top
 * @property {Float32Array} w
 * @property {Float32Array} h
 * @property {Int32Array} parent item index of the open group around it, -1 at the top
 * @property {Int32Array} end item index after its last descendant
 *
 * @typedef {object} SceneEdges
 * @property {number} count
 * @property {Int32Array} from item index
 * @property {Int32Array} to item index
 * @property {Int32Array} owner item index of the innermost open group that holds both ends, -1 at the top
 * @property {Uint32Array} weight graph edges it stands for
 * @property {Int32Array} edge index of one of them in the graph's edges
 * @property {Uint8Array} stub 1: too long to draw; only its two ends are drawn unless selected
 * @property {Uint32Array} start count + 1 offsets into `points`, in pairs: the x of point i stands at `points[2 * i]`
 * @property {Float32Array} points x, y, x, y ... of all polylines
 *
 * @typedef {object} Scene
 * @property {import("./flow.js").Flow} flow where lines run: out of a box's lower side into an upper one, or out of a right side into
 *   a left one
 * @property {number} [rough] how many open groups (the top is one) no time was left to lay out neatly; none when left out
 * @property {number} [wrapped] how many open groups stand in columns, from one to the next of which lines turn back
 * @property {number} width
 * @property {number} height
 * @property {SceneItems} items
 * @property {SceneEdges} edges
 */

/** Values of `SceneItems.kind`. */
export const ITEM = Object.freeze({ NODE: 0, CLOSED: 1, OPEN: 2 });
