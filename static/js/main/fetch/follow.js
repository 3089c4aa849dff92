// Keeps `capture`, `log` and `files` in step with the server, by events while it runs.

import { wordsOf } from "../../base/errors.js";
import { ApiError, follow, getCapture, getLog, getSource } from "../../api.js";
import { isLive, withStage } from "../../model/capture.js";
import { capture, drawer, files, log, notice, stream, tell } from "../../state.js";

const AGAIN_MS = 2000;

/** @param {string} id of the capture */
export async function loadCapture(id) {
  const now = await getCapture(id);
  capture.set(now);
  getSource(id)
    .then((answer) => files.set(answer.files))
    .catch((error) => tell(error.message));
  if (isLive(now)) followCapture(id);
  wantLog();
  drawer.subscribe(wantLog);
}

/** @param {string} id */
function followCapture(id) {
  follow(id, {
    onOpen: () => {
      stream.set("live");
      log.set({ text: "", cut: 0 }); // the stream begins with the state as it is, the log from its start
    },
    onLost: (forGood) => {
      stream.set("lost");
      if (forGood) setTimeout(() => again(id), AGAIN_MS);
    },
    onEvent: (name, data) => handlers[name]?.(id, data),
  });
}

/** After a refusal, such as that of a proxy while the server starts anew. @param {string} id */
async function again(id) {
  try {
    const now = await getCapture(id);
    capture.set(now);
    if (isLive(now)) followCapture(id);
    else stream.set("idle");
  } catch (error) {
    const gone = error instanceof ApiError && (error.status === 404 || error.status === 410);
    if (gone) tell(error.message);
    else setTimeout(() => again(id), AGAIN_MS);
  }
}

/** @type {{[name: string]: ((id: string, data: any) => void)|undefined}} */
const handlers = {
  status: (_id, data) => change((now) => ({ ...now, ...data })),
  targets: (_id, data) => change((now) => ({ ...now, targets: data.targets, stages: data.targets[0]?.stages ?? now.stages })),
  stage: (_id, data) => {
    change((now) => withStage(now, data.target, data.stage));
    if (data.stage.status !== "running" && data.stage.status !== "queued") notice.set(`${data.stage.id}: ${data.stage.status}`);
  },
  log: (_id, data) => log.set({ ...log.get(), text: log.get().text + data.text }),
  done: async (id) => {
    stream.set("idle");
    try {
      const now = await getCapture(id);
      capture.set(now);
      notice.set(`The capture is ${now.status}`);
      log.set({ text: "", cut: 0 });
      wantLog();
    } catch (error) {
      tell(wordsOf(error));
    }
  },
};

/** @param {(now: Api.Capture) => Api.Capture} step */
function change(step) {
  const now = capture.get();
  if (now) capture.set(step(now));
}

/** Fetches what was printed, once it is finished and somebody looks. */
async function wantLog() {
  const now = capture.get();
  if (!now || isLive(now) || now.log_bytes === 0 || log.get().text || !drawer.get().startsWith("output")) return;
  try {
    log.set(await getLog(now.id));
  } catch (error) {
    tell(wordsOf(error));
  }
}
