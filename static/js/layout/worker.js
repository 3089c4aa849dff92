/** The module worker: layout off the page. Started by `client.js`. */

import { LayoutDesk } from "./desk.js";
import { sceneBuffers } from "./messages.js";

/** @typedef {import("./messages.js").FromWorker} FromWorker */

/** What this file needs of a worker's global object, which has no type beside the page's. */
const port =
  /** @type {{postMessage(message: FromWorker, transfer: Transferable[]): void, onmessage: ((event: MessageEvent) => void)|null}} */ (
    /** @type {unknown} */ (globalThis)
  );

/** A message to ourselves comes behind those that are already here, and is not throttled as timers are. */
const channel = new MessageChannel();
const pause = () =>
  new Promise((/** @type {(value: void) => void} */ resolve) => {
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(null);
  });

const desk = new LayoutDesk(
  (answer) => port.postMessage(answer, answer.type === "scene" ? sceneBuffers(answer.scene) : []),
  pause,
  () => performance.now(),
);
port.onmessage = (event) => void desk.take(event.data);
