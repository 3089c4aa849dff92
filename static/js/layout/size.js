/** Sizes of boxes from their texts. Widths are even and heights whole, so that every centre line falls on a whole unit. */

import { GROUP_BOX, NODE_BOX, textWidth } from "../base/scene/boxes.js";
import { groupTexts, nodeTexts } from "../model/texts.js";

/**
 * @typedef {import("../model/types.js").LayoutModel} LayoutModel
 * @typedef {import("../model/types.js").GroupTree} GroupTree
 * @typedef {{w: number, h: number}} Size
 */

/** @param {LayoutModel} model @param {number} node @returns {Size} */
export function nodeSize(model, node) {
  const { label, type, chips } = nodeTexts(model, node);
  let inner = Math.max(textWidth(label, NODE_BOX.labelSize, "text"), textWidth(type, NODE_BOX.typeSize, "mono"));
  for (const chip of chips) inner = Math.max(inner, textWidth(chip, NODE_BOX.chipSize, "mono") + 2 * NODE_BOX.chipPadX);
  const h = 2 * NODE_BOX.padY + NODE_BOX.labelLine + (type ? NODE_BOX.typeLine : 0) + chips.length * NODE_BOX.chipLine;
  return { w: width(inner + NODE_BOX.bar + 2 * NODE_BOX.padX, NODE_BOX), h: Math.ceil(h) };
}

/** @param {GroupTree} tree @param {number} group @returns {Size} */
export function closedGroupSize(tree, group) {
  const { title, detail } = groupTexts(tree, group);
  const inner = Math.max(
    textWidth(title, GROUP_BOX.titleSize, "text") + GROUP_BOX.button + GROUP_BOX.buttonGap,
    textWidth(detail, GROUP_BOX.detailSize, "text"),
  );
  return { w: width(inner + 2 * GROUP_BOX.pad, GROUP_BOX), h: Math.ceil(GROUP_BOX.closedHeight) };
}

/** The least width of an open group: its title bar must fit. @param {GroupTree} tree @param {number} group */
export function titleWidth(tree, group) {
  const { title, detail } = groupTexts(tree, group);
  const text = textWidth(title, GROUP_BOX.titleSize, "text") + textWidth(detail, GROUP_BOX.detailSize, "text");
  return width(text + GROUP_BOX.button + 3 * GROUP_BOX.buttonGap + 2 * GROUP_BOX.pad, GROUP_BOX);
}

/** @param {number} wanted @param {{minWidth: number, maxWidth: number}} limits */
function width(wanted, { minWidth, maxWidth }) {
  return 2 * Math.ceil(Math.min(Math.max(wanted, minWidth), maxWidth) / 2);
}
