// temporary
/** @param {import("../../model/graph.js").GraphModel} model @param {string} text @returns {number[]} */
export function matches(model, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  return [...Array(model.count).keys()].filter((i) => {
    const hay = `${model.name[i]} ${model.labelOf(i)} ${model.targetOf(i)} ${model.typeOf(i)} ${model.modulePathOf(i)}`.toLowerCase();
    return words.every((word) => hay.includes(word));
  });
}
