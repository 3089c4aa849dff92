// What can be read off the answer about a capture: its targets, stages and graphs, and which graph to show first.

/**
 * A stage's key is what a pane shows when the stage has no graph: `export`, `t2.export`.
 * @param {string} target @param {string} stage
 */
export function stageKey(target, stage) {
  return target === "t1" ? stage : `${target}.${stage}`;
}

/** The parts of a GID or of a stage's key. @param {string} show @returns {{target: string, stage: string, graph: boolean}} */
export function parseShow(show) {
  const match = /^(?:(t[1-9]\d*)\.)?([a-z_]+)(\.\d)?/.exec(show);
  return { target: match?.[1] ?? "t1", stage: match?.[2] ?? "", graph: match?.[3] !== undefined };
}

/** While nothing is found yet there are no targets, but the stages asked for are known. @param {Api.Capture} capture @returns {Api.Target[]} */
export function targetsOf(capture) {
  if (capture.targets.length) return capture.targets;
  return [{ id: "t1", title: "", rule: "", frame: null, stages: capture.stages }];
}

/** @param {Api.Capture} capture @param {string} target @returns {Api.Target|null} */
export function targetOf(capture, target) {
  return targetsOf(capture).find((each) => each.id === target) ?? null;
}

/** @param {Api.Capture} capture @param {string} show a GID or a stage's key @returns {Api.Stage|null} */
export function stageOf(capture, show) {
  const { target, stage } = parseShow(show);
  const wanted = { mirror: "backward", story: "dynamo" }[stage] ?? stage; // the stage that each of these views is about
  return targetOf(capture, target)?.stages.find((each) => each.id === wanted) ?? null;
}

/** @param {Api.Capture} capture @param {string} gid @returns {Api.GraphHead|null} */
export function graphOf(capture, gid) {
  return stageOf(capture, gid)?.graphs.find((each) => each.id === gid) ?? null;
}

/**
 * The graphs of a stage that are no bodies and nothing that a fragment has besides its own graph. Where torch.export refuses,
 * the graphs of other kinds of export are all there is.
 * @param {Api.Stage} stage
 */
export function fragmentsOf(stage) {
  const own = stage.graphs.filter((graph) => graph.parent === "");
  const plain = own.filter((graph) => !graph.variant && !graph.recompile);
  return plain.length ? plain : own;
}

/** The fragments of a stage with their bodies: what the stage itself is. @param {Api.Stage} stage */
export function graphsOf(stage) {
  const own = new Set(fragmentsOf(stage).map(head));
  return stage.graphs.filter((graph) => own.has(head(graph)));
}

/** What a graph is besides its fragment's own: `compiled anew, default`; "" for that itself. @param {Api.GraphHead} graph */
export function besides(graph) {
  const anew = graph.recompile ? `compiled anew${graph.recompile > 1 ? ` ${graph.recompile}` : ""}` : "";
  const variant = graph.variant === "second_inputs" ? "second inputs" : graph.variant.replaceAll("_", "-");
  return [anew, variant].filter(Boolean).join(", ");
}

/** The same for a graph and its bodies. @param {Api.GraphHead} graph */
function head(graph) {
  return `${graph.fragment} ${graph.variant} ${graph.recompile}`;
}

/** From the outermost graph down to this one. @param {Api.Capture} capture @param {string} gid @returns {Api.GraphHead[]} */
export function trailOf(capture, gid) {
  const trail = [];
  for (let at = graphOf(capture, gid); at && trail.length < 32; at = at.parent ? graphOf(capture, at.parent) : null)
    trail.unshift(at);
  return trail;
}

/**
 * What a click on a stage shows: its first graph, or the stage itself when it has none, or when it failed: why comes first.
 * @param {string} target @param {Api.Stage} stage
 */
export function showOfStage(target, stage) {
  return (stage.status !== "failed" && fragmentsOf(stage)[0]?.id) || stageKey(target, stage.id);
}

/**
 * What a page opened without an address shows: the whole model as one graph where there is one, else Dynamo's fragments, which
 * have the breaks that say why, else the first graph there is; null while there is none.
 * @param {Api.Capture} capture @returns {string|null}
 */
export function firstShow(capture) {
  for (const target of targetsOf(capture)) {
    const filled = target.stages.filter((stage) => stage.status === "done" && fragmentsOf(stage).length);
    const chosen = ["export", "dynamo"].map((id) => filled.find((stage) => stage.id === id)).find(Boolean) ?? filled[0];
    if (chosen) return showOfStage(target.id, chosen);
  }
  return null;
}

/** The names of the files a person gave: the code that was read out of a notebook is none of them. @param {Api.Capture} capture */
export function filesOf({ source: { files } }) {
  const given = files.filter((file) => !(file.cells.length && files.some(({ name }) => file.name === `${name}.py`)));
  return given.map((file) => file.name).join(", ");
}

/** @param {Api.Capture} capture */
export function isLive(capture) {
  return capture.status === "queued" || capture.status === "running";
}

/** Whether a finished capture has failures and not one stage that was done. @param {Api.Capture} capture */
export function noStageWorked(capture) {
  const stages = targetsOf(capture).flatMap((target) => target.stages);
  return (
    capture.status === "done" &&
    stages.some((stage) => stage.status === "failed") &&
    stages.every((stage) => stage.status !== "done")
  );
}

/** @param {Api.Stage} stage */
export function nodeCount(stage) {
  return graphsOf(stage).reduce((sum, graph) => sum + graph.nodes, 0);
}

/** The capture with one stage replaced. @param {Api.Capture} capture @param {string} target @param {Api.Stage} stage @returns {Api.Capture} */
export function withStage(capture, target, stage) {
  const swap = (/** @type {Api.Stage[]} */ stages) =>
    stages.some((each) => each.id === stage.id)
      ? stages.map((each) => (each.id === stage.id ? stage : each))
      : [...stages, stage];
  const first = capture.targets[0]?.id ?? "t1";
  return {
    ...capture,
    stages: target === first ? swap(capture.stages) : capture.stages,
    targets: capture.targets.map((each) => (each.id === target ? { ...each, stages: swap(each.stages) } : each)),
  };
}
