/** The page's side of the layout worker. */

/**
 * @typedef {import("../model/graph.js").GraphModel} GraphModel
 * @typedef {import("../base/scene.js").Scene} Scene
 */

/**
 * Lays graphs out off the page. One client serves the whole page.
 *
 *     const client = new LayoutClient();
 *     const scene = await client.layout("pane0", model, open);   // null: a newer request of this slot came meanwhile
 *     client.close();
 */
export class LayoutClient {
  /**
   * @param {string} _slot who asks (a pane): a newer request of the same slot supersedes an older one
   * @param {GraphModel} _model
   * @param {Uint8Array} _open 1 for every open group of `groupTree(model)`; it is copied
   * @returns {Promise<Scene|null>} null when superseded; rejects with a LayoutError
   */
  layout(_slot, _model, _open) {
    return Promise.reject(new LayoutError("the layout worker is not written yet"));
  }

  /** Ends the worker. */
  close() {}
}

/** Layout could not run or failed; the message is safe to show. */
export class LayoutError extends Error {}
