/** The module worker: layout off the page. Started by `client.js`. */

import { LayoutDesk } from "./desk.js";
import { sceneBuffers } from "./messages.js";
import { warmUp } from "./warm.js";

/** @typedef {import("./messages.js").FromWorker} FromWorker */

/** What this file needs of a worker's global object, which has no type beside the page's. */
const port =
  /** @type {{postMessage(message: FromWorker, transfer: Transferable[]): void, onmessage: ((event: MessageEvent) => void)|null}} */ (
    /** @type {unknown} */ (globalThis)
  );

/** A message to ourselves comes behind those that are already here, and is not throttled as timers are. */
function pausing() {
  const channel = new MessageChannel();
  return () =>
    new Promise((/** @type {(value: void) => void} */ resolve) => {
      channel.port1.onmessage = () => resolve();
      channel.port2.postMessage(null);
    });
}

const now = () => performance.now();
const desk = new LayoutDesk(
  (answer) => port.postMessage(answer, answer.type === "scene" ? sceneBuffers(answer.scene) : []),
  pausing(),
  now,
);
let wanted = false;
port.onmessage = (event) => {
  wanted = true;
  void desk.take(event.data);
};
if (navigator.hardwareConcurrency > 1) void warmUp(pausing(), () => wanted, now);
