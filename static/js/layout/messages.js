/**
 * What page and layout worker say to each other. A model is sent once, under a key; later requests name the key only.
 *
 * @typedef {{by: import("../model/tree/grouptree.js").Grouping} & {flow: import("../base/scene/flow.js").Flow, wrap: boolean, thorough: boolean}} How
 *   which groups there are, and how they are laid out; `wrap`: in columns where they are very tall; `thorough`: neatly, however long it takes
 * @typedef {{type: "layout", id: number, slot: string, key: number, open: Uint8Array, how: How,
 *   tree?: import("../model/types.js").GroupTree}} LayoutRequest `tree`: the model's groups by `how.by`, where the page has them; sent once
 * @typedef {{type: "groups", id: number, key: number, by: import("../model/tree/grouptree.js").Grouping}} GroupsRequest
 * @typedef {{type: "model", key: number, model: import("../model/types.js").LayoutModel}} ModelMessage
 * @typedef {{type: "scene", id: number, scene: import("../base/scene/scene.js").Scene}} SceneAnswer
 * @typedef {{type: "groups", id: number, tree: import("../model/types.js").GroupTree}} GroupsAnswer
 * @typedef {{type: "superseded", id: number}} SupersededAnswer a newer request of the slot came
 * @typedef {{type: "unknown", id: number, key: number}} UnknownAnswer the model has to be sent (again)
 * @typedef {{type: "failed", id: number, message: string}} FailedAnswer
 * @typedef {LayoutRequest | GroupsRequest | ModelMessage} ToWorker
 * @typedef {SceneAnswer | GroupsAnswer | SupersededAnswer | UnknownAnswer | FailedAnswer} FromWorker
 */

/**
 * The buffers of a scene, to hand over instead of copying.
 * @param {import("../base/scene/scene.js").Scene} scene
 * @returns {ArrayBuffer[]}
 */
export function sceneBuffers({ items, edges }) {
  const arrays = [
    items.kind,
    items.ref,
    items.x,
    items.y,
    items.w,
    items.h,
    items.parent,
    items.end,
    edges.from,
    edges.to,
    edges.owner,
    edges.weight,
    edges.edge,
    edges.stub,
    edges.start,
    edges.points,
  ];
  return [...new Set(arrays.map((array) => /** @type {ArrayBuffer} */ (array.buffer)))];
}
