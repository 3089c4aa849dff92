// What is known of the stories of a capture's targets, and of the guards of Dynamo's graphs.

import { Atom } from "../state.js";

/** @typedef {import("../model/story/guards.js").Guards} Guards */

/** By target, with the capture's state it was told at; what could not be had is its error. @type {Atom<ReadonlyMap<string, {key: string, story: Api.Story|Error}>>} */
export const stories = new Atom(/** @type {ReadonlyMap<string, {key: string, story: Api.Story|Error}>} */ (new Map()));
/** By GID. @type {Atom<ReadonlyMap<string, Guards|Error>>} */
export const guardTrees = new Atom(/** @type {ReadonlyMap<string, Guards|Error>} */ (new Map()));
/** A step asked for, for the story to go to: a fragment, or a break by its number among those of the target. @type {Atom<{target: string, fragment?: number, stop?: number}|null>} */
export const pointed = new Atom(/** @type {{target: string, fragment?: number, stop?: number}|null} */ (null));
