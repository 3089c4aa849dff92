// The ways into a story: an entry of the rail behind the stages, the line below it, the list of graphs of a pane.

import { fragmentsOf, parseShow, targetOf, targetsOf } from "../../model/capture.js";
import { anewIn, dynamoOf, hasStory, isStory, storyOf } from "../../model/story/shows.js";
import { activeShow, capture, showIn } from "../../state.js";
import { pointed } from "../../state/story.js";
import { button, el } from "../dom.js";
import { counted } from "../format.js";
import { icon } from "../icon.js";

/** What it is, for the line below the rail. */
export const ABOUT = "The function as torch.compile runs it: what was captured, the Python between, and the guards.";

/** What decides how the entry looks. @param {Api.Target} target */
export function storyFacts(target) {
  const dynamo = dynamoOf(target);
  return [hasStory(target), isStory(activeShow()), dynamo && [dynamo.breaks, fragmentsOf(dynamo).length, anewIn(dynamo)]];
}

/** The entry of the rail; null where one graph is all there is to tell. @param {Api.Target} target @param {number} key that opens it @returns {HTMLElement|null} */
export function storyEntry(target, key) {
  const dynamo = dynamoOf(target);
  if (!dynamo || !hasStory(target)) return null;
  const item = button("", {
    class: "rail-stage is-done is-story",
    "data-stage": "story",
    "aria-current": isStory(activeShow()) ? "step" : null,
    title: `${ABOUT} (key ${key})`,
    onclick: () => showIn(storyOf(target.id)),
  });
  const fragments = fragmentsOf(dynamo).length;
  item.append(
    el("span", { class: "rail-name" }, icon("story"), "Story", anewMark(anewIn(dynamo))),
    el("span", { class: "rail-counts" }, el("span", { class: "cut" }, fragments ? counted(fragments, "fragment") : "nothing captured")),
  );
  return el("li", {}, item);
}

/** @param {number} anew graphs that other inputs made torch compile */
function anewMark(anew) {
  if (!anew) return null;
  const words = `${counted(anew, "graph")} compiled anew for other inputs`;
  return el("span", { class: "rail-anew", title: words }, icon("branch"), anew, el("span", { class: "visually-hidden" }, words));
}

/** Shows the story of the target in the active pane. @returns {boolean} false: there is none */
export function showStory() {
  const now = capture.get();
  const target = now && (targetOf(now, parseShow(activeShow()).target) ?? targetsOf(now)[0]);
  if (!target || !hasStory(target)) return false;
  showIn(storyOf(target.id));
  return true;
}

/** A link to the story of the active target; null where there is none. @returns {HTMLElement|null} */
export function storyLink() {
  const now = capture.get();
  const target = now && targetOf(now, parseShow(activeShow()).target);
  if (!target || !hasStory(target)) return null;
  return button("As a story", { class: "link guards-link", title: ABOUT, onclick: () => showStory() });
}

/** Shows a break in the story of its target. @param {string} target @param {number} stop its number among those of the target */
export function showStop(target, stop) {
  showIn(storyOf(target));
  pointed.set({ target, stop });
}

/** The story of a target as the list of graphs of a pane has it. @param {Api.Target} target @param {string} prefix @returns {HTMLElement|null} */
export function storyOption(target, prefix) {
  return dynamoOf(target) && el("option", { value: storyOf(target.id) }, `${prefix}Story`);
}

/** Its fragments as buttons that lead to them. @param {Api.Target} target @returns {HTMLElement[]} */
export function storyParts(target) {
  const dynamo = dynamoOf(target);
  return (dynamo ? fragmentsOf(dynamo) : []).map((graph) => {
    const item = button(`Fragment ${graph.fragment + 1}`, {
      class: "fragment",
      title: "Go to it in the story",
      onclick: () => pointed.set({ target: target.id, fragment: graph.fragment }),
    });
    item.append(el("span", { class: "muted" }, counted(graph.nodes, "node")));
    return item;
  });
}
