// A story as a page of its own: head, steps from top to bottom, the second call.

import { stageKey, stageOf } from "../../model/capture.js";
import { dynamoOf } from "../../model/story/shows.js";
import { showIn } from "../../state.js";
import { button, el } from "../dom.js";
import { counted, sentence } from "../format.js";
import { icon } from "../icon.js";
import { betweenStep } from "./between.js";
import { FragmentStep } from "./fragment.js";
import { SECOND, secondPart } from "./second.js";

/** The DOM of one story. */
export class StoryPage {
  /** @param {Api.Story} story @param {Api.Capture} now @param {(gid: string, open: boolean) => void} onGuards */
  constructor(story, now, onGuards) {
    /** @type {FragmentStep[]} */
    this.fragments = [];
    const fragment = (/** @type {Api.StoryFragment} */ step) => {
      const made = new FragmentStep(step, onGuards);
      this.fragments.push(made);
      return made.element;
    };
    /** Steps from top to bottom. */
    this.steps = story.steps.map((step) => (step.step === "fragment" ? fragment(step) : betweenStep(step, story.target)));
    this.element = el(
      "div",
      { class: "story", role: "region", "aria-label": `Story of ${story.title || story.target}` },
      headOf(story, now),
      this.steps.length > 0 && el("ol", { class: "plain story-steps", "aria-label": "As torch runs it" }, ...this.steps),
      secondPart(story, now, story.second.map(fragment)),
    );
  }

  /**
   * @param {readonly string[]} opened graphs whose guards are open @param {readonly string[]} shown graphs in the panes
   * @param {import("../../state.js").Selection|null} selected
   */
  update(opened, shown, selected) {
    for (const each of this.fragments) each.update(new Set(opened), new Set(shown), selected);
  }

  /** Where a fragment or a break is told. @param {{fragment?: number, stop?: number}} at @returns {HTMLElement|null} */
  find({ fragment, stop }) {
    const found = stop === undefined ? `[data-fragment="${fragment}"]` : `[data-stop="${stop}"]`;
    return this.element.querySelector(found);
  }

  destroy() {
    for (const each of this.fragments) each.destroy();
  }
}

/** @param {Api.Story} story @param {Api.Capture} now */
function headOf(story, now) {
  const fragments = story.steps.filter((step) => step.step === "fragment");
  const stops = story.steps.flatMap((step) => (step.step === "python" ? step.stops : []));
  const sum = (/** @type {"calls"|"guards"|"fixed"} */ what) => fragments.reduce((total, step) => total + step[what], 0);
  const facts = fragments.length
    ? [
        counted(fragments.length, "fragment"),
        counted(stops.length, "graph break"),
        `${counted(sum("calls"), "call")} captured`,
        `${counted(sum("guards"), "guard")}, ${sum("fixed")} of which specialise the code`,
      ]
    : [];
  return el(
    "header",
    { class: "story-head" },
    el("h2", {}, `${story.title || "The function"} as torch.compile runs it`),
    facts.length > 0 && el("p", { class: "story-facts muted" }, ...facts.map((fact) => el("span", {}, fact))),
    ...wordsOf(story, now, fragments.length),
    ...story.notes.filter((note) => !SECOND.test(note)).map((note) => el("p", { class: "notice warn" }, sentence(note))),
  );
}

/** What else must be said: that nothing was captured, that it failed, that nothing broke. @param {Api.Story} story @param {Api.Capture} now @param {number} fragments */
function wordsOf(story, now, fragments) {
  const stage = stageOf(now, stageKey(story.target, "dynamo"));
  if (story.status === "failed" && stage) {
    const link = button("why", { class: "link", onclick: () => showIn(stageKey(story.target, "dynamo")) });
    return [el("p", { class: "notice bad" }, "Dynamo failed: ", link, fragments ? ". What it had captured by then is told here." : ".")];
  }
  if (!fragments)
    return [
      el("p", { class: "notice warn" }, el("strong", {}, "Nothing was captured. "), sentence(story.reason || "Dynamo made no graph")),
    ];
  if (fragments === 1 && story.steps.length === 1)
    return [el("p", { class: "muted" }, "No graph breaks: torch captured the whole function as one fragment.")];
  return [];
}

/** In place of a story that could not be had. @param {string} words @param {() => void} again */
export function notTold(words, again) {
  return el(
    "div",
    { class: "explain explain-failed", role: "alert" },
    el("h2", {}, icon("failed"), "This story cannot be told"),
    el("p", {}, words),
    button("Try again", { onclick: again }),
  );
}

/** In place of a story that is not told yet. @param {Api.Capture} now @param {Api.Target|null} target @returns {HTMLElement|null} null: it can be told */
export function notYet(now, target) {
  const dynamo = target && dynamoOf(target);
  if (dynamo && dynamo.status !== "queued" && dynamo.status !== "running") return null;
  const running = dynamo?.status === "running";
  const ended = now.status === "cancelled" || now.status === "failed";
  const [name, title, text] = !dynamo
    ? /** @type {const} */ (["skipped", "There is no story", "The stage Dynamo was not asked for, and the story is about what it captures."])
    : ended
      ? /** @type {const} */ (["cancelled", "Dynamo was not reached", "The capture ended before this stage."])
      : /** @type {const} */ ([running ? "running" : "queued", running ? "Dynamo is running" : "Dynamo is still to come", "The story opens here as soon as it is done."]);
  return el("div", { class: `explain explain-${name}` }, el("h2", {}, icon(name), title), el("p", {}, text));
}
