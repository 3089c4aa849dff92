/** The page's side of the layout worker. */

import { layoutModel } from "../model/graph.js";

/**
 * @typedef {import("../model/graph.js").GraphModel} GraphModel
 * @typedef {import("../base/scene/scene.js").Scene} Scene
 * @typedef {import("./messages.js").FromWorker} FromWorker
 * @typedef {import("./messages.js").ToWorker} ToWorker
 * @typedef {import("./messages.js").How} How
 * @typedef {import("../model/types.js").GroupTree} GroupTree
 * @typedef {import("../model/tree/grouptree.js").Grouping} Grouping
 *
 * @typedef {object} Asked what is not answered yet
 * @property {number} key of the model
 * @property {GraphModel} model
 * @property {Grouping} by
 * @property {GroupTree} [tree]
 * @property {{type: "groups", by: Grouping} | {type: "layout", slot: string, open: Uint8Array, how: How}} message
 * @property {(answer: any) => void} resolve
 * @property {(error: Error) => void} reject
 */

/** Layout could not run or failed; the message is safe to show. */
export class LayoutError extends Error {}

/** How a worker is started. @type {() => Worker} */
let startWorker = () => new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "layout" });

/** For a page that cannot load the worker's script by its address. @param {() => Worker} start */
export function startWorkersBy(start) {
  startWorker = start;
}

/**
 * Lays graphs out off the page. One client serves the whole page.
 *
 *     const client = new LayoutClient();
 *     const scene = await client.layout("pane0", model, open);   // null: a newer request of this slot came meanwhile
 *     client.close();
 */
export class LayoutClient {
  /** @param {() => Worker} [start] how to start a worker */
  constructor(start = () => startWorker()) {
    this.start = start;
    /** @type {Worker|null} */
    this.worker = null;
    this.lastId = 0;
    /** @type {WeakMap<GraphModel, number>} */
    this.keys = new WeakMap();
    this.lastKey = 0;
    /** @type {Map<number, Set<string>>} models that this worker was sent, and by what it has their groups */
    this.sent = new Map();
    /**
     * @type {Map<number, Asked>}
     */
    this.pending = new Map();
  }

  /**
   * @param {string} slot who asks (a pane): a newer request of the same slot supersedes an older one
   * @param {GraphModel} model
   * @param {Uint8Array} open 1 for every open group of `groupTree(model, by)`; it is copied
   * @param {Partial<How>} [how]
   * @param {GroupTree} [tree] `groupTree(model, how.by)`, where it is at hand: of a large graph it takes longer than the layout
   * @returns {Promise<Scene|null>} null when superseded; rejects with a LayoutError
   */
  layout(slot, model, open, { by = "module", flow = "down", wrap = true, thorough = false } = {}, tree) {
    return this.ask(model, by, { type: "layout", slot, open: open.slice(), how: { by, flow, wrap, thorough } }, tree);
  }

  /**
   * `groupTree(model, by)`, made in the worker, which needs it too and has run that code before.
   * @param {GraphModel} model @param {Grouping} by @returns {Promise<GroupTree|null>} null when the client was closed; rejects with a LayoutError
   */
  groups(model, by) {
    return this.ask(model, by, { type: "groups", by });
  }

  /** @param {GraphModel} model @param {Grouping} by @param {Asked["message"]} message @param {GroupTree} [tree] @returns {Promise<any>} */
  ask(model, by, message, tree) {
    const key = this.keys.get(model) ?? ++this.lastKey;
    this.keys.set(model, key);
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { key, model, by, tree, message, resolve, reject });
      try {
        this.request(id);
      } catch (error) {
        this.fail(`The layout worker could not be started: ${error}`);
      }
    });
  }

  /** Ends the worker; what is still asked for is answered with null. */
  close() {
    this.worker?.terminate();
    this.worker = null;
    for (const { resolve } of this.pending.values()) resolve(null);
    this.pending.clear();
  }

  /** Starts the worker before there is anything to lay out: its script is loaded meanwhile. What fails is told when it is used. */
  warm() {
    try {
      this.awake();
    } catch {
      this.worker = null;
    }
  }

  /** Starts the worker where there is none. */
  awake() {
    if (this.worker) return;
    this.worker = this.start();
    this.sent.clear();
    this.worker.onmessage = (event) => this.receive(event.data);
    this.worker.onerror = (event) =>
      this.fail(`The layout worker stopped: ${event.message || "its script could not be loaded"}`);
  }

  /** @param {number} id */
  request(id) {
    const asked = this.pending.get(id);
    if (!asked) return;
    this.awake();
    const { key, model, by, tree, message } = asked;
    const grouped = this.sent.get(key) ?? new Set();
    if (!this.sent.has(key)) this.post({ type: "model", key, model: layoutModel(model) });
    this.sent.set(key, grouped);
    this.post({ ...message, id, key, ...(tree && !grouped.has(by) ? { tree } : {}) });
    if (tree || message.type === "groups") grouped.add(by);
  }

  /** @param {ToWorker} message */
  post(message) {
    this.worker?.postMessage(message);
  }

  /** @param {FromWorker} answer */
  receive(answer) {
    const asked = this.pending.get(answer.id);
    if (!asked) return;
    if (answer.type === "unknown") {
      this.sent.delete(answer.key);
      this.request(answer.id);
      return;
    }
    this.pending.delete(answer.id);
    if (answer.type === "groups") asked.resolve(answer.tree);
    else if (answer.type === "scene") asked.resolve(answer.scene);
    else if (answer.type === "superseded") asked.resolve(null);
    else asked.reject(new LayoutError(`This graph could not be laid out: ${answer.message}`));
  }

  /** The worker is lost: everything asked for fails, and the next request starts a new one. @param {string} message */
  fail(message) {
    this.worker?.terminate();
    this.worker = null;
    for (const { reject } of this.pending.values()) reject(new LayoutError(message));
    this.pending.clear();
  }
}
