// Fetches stories, again when more may have come, and trees of guards when they are opened.

import { asError } from "../../base/errors.js";
import { getGuardTree, getStory } from "../../api.js";
import { targetOf } from "../../model/capture.js";
import { Guards } from "../../model/story/guards.js";
import { dynamoOf } from "../../model/story/shows.js";
import { capture } from "../../state.js";
import { guardTrees, stories } from "../../state/story.js";

/** Keys of what is under way. @type {Set<string>} */
const under = new Set();

/** What a story depends on: another one may be had when this changes. @param {Api.Capture} now @param {string} target */
export function storyKey(now, target) {
  const found = targetOf(now, target);
  const stages = found?.stages.map((stage) => [stage.id, stage.status, stage.graphs.length, stage.breaks, stage.guards]);
  return JSON.stringify([target, stages, found && dynamoOf(found)?.notes]);
}

/** Asks for the story of a target, unless it is here as it stands now. @param {string} target */
export async function wantStory(target) {
  const now = capture.get();
  if (!now) return;
  const key = storyKey(now, target);
  if (stories.get().get(target)?.key === key || under.has(key)) return;
  under.add(key);
  /** @type {Api.Story|Error} */
  let story;
  try {
    story = await getStory(now.id, target);
  } catch (error) {
    story = asError(error);
  }
  under.delete(key);
  const had = stories.get().get(target)?.story;
  if (story instanceof Error && had && !(had instanceof Error)) return; // what is told stays
  stories.set(new Map(stories.get()).set(target, { key, story }));
}

/** Forgets that it failed, and asks once more. @param {string} target */
export function storyAgain(target) {
  const left = new Map(stories.get());
  left.delete(target);
  stories.set(left);
  wantStory(target);
}

/** Asks for the guards of one of Dynamo's graphs, unless they are here. @param {string} gid @param {boolean} [again] though it failed */
export async function wantGuardTree(gid, again = false) {
  const now = capture.get();
  const had = guardTrees.get().get(gid);
  if (!now || under.has(gid) || (had && !(again && had instanceof Error))) return;
  under.add(gid);
  /** @type {Guards|Error} */
  let tree;
  try {
    tree = new Guards(await getGuardTree(now.id, gid));
  } catch (error) {
    tree = asError(error);
  }
  under.delete(gid);
  guardTrees.set(new Map(guardTrees.get()).set(gid, tree));
}
