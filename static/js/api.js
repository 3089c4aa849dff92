// The HTTP API (docs/api.md). Every failure, also that of the network, becomes an ApiError.

/** What went wrong in words for the person: the fields of the problem+json answer. */
export class ApiError extends Error {
  /** @param {{code?: string, title?: string, status?: number, detail?: string, hint?: string}} problem */
  constructor(problem) {
    super(problem.detail ? `${problem.title}: ${problem.detail}` : problem.title || "The request failed");
    this.code = problem.code || "unknown";
    this.status = problem.status || 0;
    this.title = problem.title || "The request failed";
    this.detail = problem.detail || "";
    this.hint = problem.hint || "";
  }
}

const UNREACHABLE = {
  code: "network",
  title: "The server cannot be reached",
  hint: "Check that it is running and that you are online, then try again.",
};

// A server that refuses a body for its size closes the connection, which the browser reports as no answer at all.
const BROKEN_OFF = {
  ...UNREACHABLE,
  title: "The upload was broken off",
  hint: "Check that the server is running and that the file is not above its limit, then try again.",
};

/** @param {number} status @param {string} text @returns {ApiError} */
function problem(status, text) {
  try {
    return new ApiError({ status, ...JSON.parse(text) });
  } catch {
    return new ApiError({
      status,
      title: `The server answered ${status}`,
      hint: "Try again; if it stays so, tell whoever runs this server.",
    });
  }
}

/** Who is asked: the server, or what a standalone file holds. @type {(path: string, init?: RequestInit) => Promise<Response>} */
let source = (path, init) => fetch(path, init);

/** Has every later request answered by `answer`, which is called as `fetch` is. @param {typeof source} answer */
export function answerFrom(answer) {
  source = answer;
}

/** @param {string} path @param {RequestInit} [init] @returns {Promise<Response>} */
async function request(path, init) {
  let response;
  try {
    response = await source(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(UNREACHABLE);
  }
  if (!response.ok) throw problem(response.status, await response.text());
  return response;
}

/** @param {string} path @param {AbortSignal} [signal] @returns {Promise<any>} */
async function getJson(path, signal) {
  return (await request(path, { signal })).json();
}

/** @param {string} id */
const base = (id) => `/api/captures/${encodeURIComponent(id)}`;

/** @param {string} id */
export const captureUrl = (id) => base(id);

/** @param {string} id @param {string} gid */
export const graphUrl = (id, gid) => `${base(id)}/graphs/${encodeURIComponent(gid)}`;

/** @param {string} id @returns {Promise<Api.Capture>} */
export const getCapture = (id) => getJson(base(id));
/** @param {string} id @returns {Promise<{files: Api.SourceFile[]}>} */
export const getSource = (id) => getJson(`${base(id)}/source`);
/** @param {string} id @returns {Promise<{text: string, cut: number}>} */
export const getLog = (id) => getJson(`${base(id)}/log`);
/** @param {string} id @returns {Promise<{breaks: Api.Break[]}>} */
export const getBreaks = (id) => getJson(`${base(id)}/breaks`);
/** @param {string} id @returns {Promise<{compilations: Api.Compilation[]}>} */
export const getCompilations = (id) => getJson(`${base(id)}/compilations`);

/** @param {string} id @returns {Promise<{guards: Api.Guard[]}>} */
export const getGuards = (id) => getJson(`${base(id)}/guards`);
/** @param {string} id @param {string} target @returns {Promise<Api.Story>} */
export const getStory = (id, target) => getJson(`${base(id)}/story?target=${encodeURIComponent(target)}`);
/** @param {string} id @param {string} gid of Dynamo's @returns {Promise<Api.GuardTree>} */
export const getGuardTree = (id, gid) => getJson(`${base(id)}/guards/${encodeURIComponent(gid)}`);
/** @param {string} id @param {string} gid @returns {Promise<any>} the columnar graph */
export const getGraph = (id, gid) => getJson(graphUrl(id, gid));
/** @param {string} id @param {string} a GID @param {string} b GID @returns {Promise<any>} which nodes of the two are kin */
export const getLinks = (id, a, b) => getJson(`${base(id)}/links/${encodeURIComponent(a)}/${encodeURIComponent(b)}`);
/** @param {string} id @param {{gid: string, from: string, how: string}} trace of the server's own: `gradient` @returns {Promise<Api.Traced>} */
export const getTrace = (id, { gid, from, how }) =>
  getJson(`${base(id)}/trace/${encodeURIComponent(gid)}/${encodeURIComponent(from)}?how=${how}`);
/** @param {string} id @param {string} gid of a forward @returns {Promise<any>} what it saves for its backward */
export const getMirror = (id, gid) => getJson(`${base(id)}/mirror/${encodeURIComponent(gid)}`);
/** @param {string} id @param {string} gid @returns {Promise<Api.GraphText>} */
export const getText = (id, gid) => getJson(`${graphUrl(id, gid)}/text`);
/** @param {string} id @param {string} gid @param {string} name @param {AbortSignal} [signal] @returns {Promise<Api.NodeDetails>} */
export const getNode = (id, gid, name, signal) => getJson(`${graphUrl(id, gid)}/nodes/${encodeURIComponent(name)}`, signal);
/** @param {string} id @returns {Promise<{script: string, charts: Api.ChartHead[]}>} */
export const getCharts = (id) => getJson(`${base(id)}/charts`);
/** @param {string} id @param {string} name @param {string} target @returns {Promise<Api.Figure>} */
export const getChart = (id, name, target) => getJson(`${base(id)}/charts/${name}?target=${encodeURIComponent(target)}`);
/** @param {string} id @returns {Promise<{targets: Api.TargetOperators[]}>} */
export const getOperators = (id) => getJson(`${base(id)}/operators`);
/** @returns {Promise<{tier: string|null, accepts: boolean, reason: string}>} whether it runs what this browser sends */
export const getServer = () => getJson("/api/server");
/** @returns {Promise<{examples: Api.Example[]}>} */
export const getExamples = () => getJson("/api/examples");
/** @param {string[]} ids @returns {Promise<{captures: {id: string, status: string, title: string, created: string}[]}>} */
export const getRecent = (ids) => getJson(`/api/captures?ids=${ids.map(encodeURIComponent).join(",")}`);

/** @param {string} id @param {string} token */
export async function cancelCapture(id, token) {
  await request(`${base(id)}/cancel`, { method: "POST", headers: { Authorization: `Bearer ${token}` } });
}

/** @param {string} id @param {string} token */
export async function deleteCapture(id, token) {
  await request(base(id), { method: "DELETE", headers: { Authorization: `Bearer ${token}` } });
}

/** @typedef {{code: string, name: string}|{files: File[], paths: string[]}} Sent code, or files with their paths */

/**
 * What would be captured of code or files, without running them.
 * @param {Sent} what @param {object} options @param {AbortSignal} signal @returns {Promise<Api.Look>}
 */
export async function look(what, options, signal) {
  const json = { "Content-Type": "application/json" };
  const sent = "files" in what ? { body: formOf(what, options) } : { headers: json, body: bodyOf(what, options) };
  return (await request("/api/look", { method: "POST", signal, ...sent })).json();
}

/** @param {{files: File[], paths: string[]}} what @param {object} options */
function formOf({ files, paths }, options) {
  const form = new FormData();
  for (const [i, file] of files.entries()) form.append("file", file, paths[i]);
  form.append("options", JSON.stringify(options));
  return form;
}

/** @param {{code: string, name: string}} what @param {object} options */
const bodyOf = ({ code, name }, options) => JSON.stringify({ code, name, options });

/**
 * Submits code or files. XMLHttpRequest, because fetch does not tell how much of an upload is done.
 * @param {{code: string, name: string}|{files: File[], paths: string[]}} what @param {object} options
 * @param {(fraction: number) => void} onProgress of the upload, 0 to 1
 * @returns {Promise<{id: string, url: string, status: string, delete_token: string}>}
 */
export function submit(what, options, onProgress) {
  const call = new XMLHttpRequest();
  call.open("POST", "/api/captures");
  call.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) onProgress(event.loaded / event.total);
  });
  const answer = new Promise((resolve, reject) => {
    call.addEventListener("error", () => reject(new ApiError("files" in what ? BROKEN_OFF : UNREACHABLE)));
    call.addEventListener("load", () => {
      if (call.status >= 200 && call.status < 300) resolve(JSON.parse(call.responseText));
      else reject(problem(call.status, call.responseText));
    });
  });
  if ("files" in what) {
    call.send(formOf(what, options));
  } else {
    call.setRequestHeader("Content-Type", "application/json");
    call.send(bodyOf(what, options));
  }
  return answer;
}

/**
 * Follows a capture. The browser connects again by itself after a lost connection; the stream then begins with the state as it is.
 * @param {string} id
 * @param {{onEvent: (name: string, data: any) => void, onOpen: () => void, onLost: (forGood: boolean) => void}} handlers
 *   `onLost` with true: the server refused, and the browser will not try again
 * @returns {() => void} ends it
 */
export function follow(id, handlers) {
  const stream = new EventSource(`${base(id)}/events`);
  for (const name of ["status", "stage", "targets", "log", "done"]) {
    stream.addEventListener(name, (event) => {
      handlers.onEvent(name, JSON.parse(/** @type {MessageEvent} */ (event).data));
      if (name === "done") stream.close();
    });
  }
  stream.addEventListener("open", handlers.onOpen);
  stream.addEventListener("error", () => handlers.onLost(stream.readyState === EventSource.CLOSED));
  return () => stream.close();
}
