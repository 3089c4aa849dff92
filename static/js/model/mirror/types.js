/**
 * The answer of `GET /api/captures/ID/mirror/GID` (docs/api.md).
 *
 * @typedef {object} Saved one value that the forward keeps for the backward
 * @property {string} name
 * @property {string} label
 * @property {"input"|"parameter"|"buffer"|"constant"|"call"|"size"|"other"} kind
 * @property {number} forward node of the forward
 * @property {number} backward placeholder of the backward
 * @property {string} type
 * @property {string|null} dtype
 * @property {(number|string)[]|null} shape
 * @property {number|null} bytes of its storage; null: symbolic, or no tensor
 * @property {number} storage index into `storages`, -1 for no tensor
 * @property {boolean} view it lies in memory that was made for another value
 * @property {string} module
 * @property {number[]} readers nodes of the backward
 * @property {string[]} reasons why it is not computed again
 * @property {string} said the partitioner's own words of that
 *
 * @typedef {{name: string, bytes: number|null, held: boolean, saved: number[]}} Storage `held`: an input of the graph
 * @typedef {{name: string, forward: number, backward: number, module: string, free: boolean}} Recomputed `free`: a view
 * @typedef {{saved: number, sizes: number, bytes: number, held_bytes: number, unknown: number, recomputed: number, free: number,
 *   gradients: number}} Totals
 *
 * @typedef {object} Cut one way to cut the joint graph in two
 * @property {string} forward GID
 * @property {string} backward GID
 * @property {"min_cut"|"default"} partitioner
 * @property {Saved[]} saved
 * @property {Storage[]} storages
 * @property {Recomputed[]} recomputed
 * @property {{name: string, node: number|null}[]} gradients
 * @property {Totals} totals
 *
 * @typedef {{name: string, type: string, here: number, there: number, again_here: boolean, again_there: boolean,
 *   same_memory: boolean}} Difference `same_memory`: only one saves it, but the other keeps its storage by another view
 *
 * @typedef {object} MirrorAnswer
 * @property {Cut} cut
 * @property {{path: string, cls: string, parent: number, forward: number, backward: number, saved: number, bytes: number,
 *   unknown: number, recomputed: number}[]} rows
 * @property {number[]} kin by node of the backward: a node of the forward, or -1
 * @property {Cut|null} other
 * @property {Difference[]} difference
 *
 * @typedef {import("../types.js").GraphColumns} GraphColumns
 * @typedef {import("../types.js").GroupTree} GroupTree
 */
export {};
