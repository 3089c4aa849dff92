/**
 * @typedef {import("../graph.js").GraphModel} GraphModel
 *
 * @typedef {object} ColourClass what one colour stands for
 * @property {string} id stable: the address names classes by it
 * @property {string} title
 * @property {string} colour custom property of graph.css without its dashes: `kind-matmul`, `hue-1`, `ramp-4`, `none`
 *
 * @typedef {object} Colouring
 * @property {ColourClass[]} classes
 * @property {Uint8Array} of node -> index into `classes`
 *
 * @typedef {object} Around the other graphs of the capture
 * @property {(gid: string) => boolean} has
 * @property {(gid: string) => GraphModel|null} graph null: not here yet
 *
 * @typedef {object} Mode a way to colour a graph
 * @property {string} id stable: the address has it
 * @property {string} title
 * @property {(model: GraphModel, around: Around) => boolean} fits
 * @property {(model: GraphModel) => string[]} [needs] GIDs of other graphs that it reads
 * @property {(model: GraphModel, around: Around) => Colouring} colour
 */
export {};
