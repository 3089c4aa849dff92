/** What clicking, double clicking or pressing Enter on a thing does. */
import { ITEM } from "../../base/scene/scene.js";

/**
 * @typedef {import("../drawing.js").Drawing} Drawing
 * @typedef {import("./pick.js").Hit} Hit
 * @typedef {import("../graphview.js").Callbacks} Callbacks
 *
 * @typedef {object} Doer
 * @property {(node: number, add: boolean) => void} selectNode
 * @property {(item: number) => void} selectGroup
 * @property {() => void} clear
 * @property {(item: number) => void} follow selects an item and brings it into sight
 * @property {(group: number) => void} toggle
 * @property {(gid: string) => void} enterBody
 */

/**
 * @param {Drawing} drawing
 * @param {Hit} hit
 * @param {{add: boolean, again: boolean}} how
 * @param {Doer} doer
 */
export function click(drawing, hit, { add, again }, doer) {
  const { ref } = drawing.scene.items;
  const { item, part, chip, stub } = hit;
  if (part === "button") {
    if (!again) doer.toggle(ref[item]);
  } else if (part === "chip" && chip?.gid) {
    if (!again) doer.enterBody(chip.gid);
  } else if (part === "chip" && chip) doer.selectNode(chip.node >= 0 ? chip.node : ref[item], add);
  else if (part === "stub" && stub) doer.follow(otherEnd(drawing, item, stub));
  else if (part === "node") doer.selectNode(ref[item], add);
  else if (part === "group" || part === "title") doer.selectGroup(item);
  else if (!add) doer.clear();
}

/**
 * Where the label of a far edge leads: to its other end; with several edges in it, to the item itself, which shows them all.
 * @param {Drawing} drawing
 * @param {number} item
 * @param {NonNullable<Hit["stub"]>} stub
 * @returns {number} item
 */
function otherEnd({ scene: { edges } }, item, stub) {
  if (stub.edges.length > 1) return item;
  return (stub.leaves ? edges.to : edges.from)[stub.edges[0]];
}

/** @param {Drawing} drawing @param {Hit} hit @param {Doer} doer */
export function doubleClick(drawing, { item, part }, doer) {
  if (part === "group" || part === "title" || part === "inside") doer.toggle(drawing.scene.items.ref[item]);
  else if (part === "node") enter(drawing, item, doer);
}

/** Opens or closes a group, or goes into the first body of a higher-order op. @param {Drawing} drawing @param {number} item @param {Doer} doer */
export function enter({ model, scene: { items } }, item, doer) {
  if (items.kind[item] !== ITEM.NODE) doer.toggle(items.ref[item]);
  else {
    const gid = model.bodies.get(items.ref[item])?.[0];
    if (gid !== undefined) doer.enterBody(gid);
  }
}
