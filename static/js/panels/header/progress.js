// How a capture stands, in a few words: place in the queue, the stage at work, how long it has taken.

import { noStageWorked, targetsOf } from "../../model/capture.js";
import { stream } from "../../state.js";
import { seconds, stageTitle } from "../format.js";

/** When each stage was first seen running, for the clock. @type {Map<string, number>} */
const since = new Map();

/** @param {Api.Capture} now @param {number} clock milliseconds @returns {string} */
export function progressText(now, clock) {
  const lost = stream.get() === "lost" ? " · connection lost, trying again" : "";
  if (now.status === "queued") {
    const before = now.queue_position ?? 0;
    return (before > 0 ? `queued, number ${before} in line` : "queued") + lost;
  }
  if (now.status === "running") return `${atWork(now, clock)}${lost}`;
  if (now.status !== "done") return now.status;
  const said = noStageWorked(now) ? "every stage failed" : "done";
  return now.seconds === null ? said : `${said} in ${seconds(now.seconds)}`;
}

/** @param {Api.Capture} now @param {number} clock */
function atWork(now, clock) {
  const started = Date.parse(now.created);
  const passed = Number.isFinite(started) && clock > started ? ` · ${seconds(Math.round((clock - started) / 1000))}` : "";
  const stage = targetsOf(now)
    .flatMap((target) => target.stages)
    .find((each) => each.status === "running");
  return stage ? `${stageTitle(stage.id)} is running${passed}` : `starting torch${passed}`;
}

/** How long a running stage has been seen to run. @param {string} key @param {number} clock milliseconds @returns {number} seconds */
export function runningFor(key, clock) {
  if (!since.has(key)) since.set(key, clock);
  return (clock - (since.get(key) ?? clock)) / 1000;
}
