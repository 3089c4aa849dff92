/** Which colour every node has, what most nodes of a group are, and what a closed group is made of. */

/**
 * @typedef {import("./drawing.js").Drawing} Drawing
 * @typedef {import("./drawing.js").GraphModel} GraphModel
 * @typedef {import("./drawing.js").GroupTree} GroupTree
 * @typedef {{classes: readonly {colour: string}[], of: Uint8Array}} Colouring node -> class, class -> name of a colour of the theme
 */

/** Immutable but for what it remembers. One for each drawing and colouring. */
export class Paint {
  /** @param {Drawing} drawing @param {Colouring | null} colouring null: by kind */
  constructor(drawing, colouring) {
    this.drawing = drawing;
    this.of = colouring?.of ?? drawing.model.kind;
    /** Names in `theme.colours`. */
    this.colours = colouring ? colouring.classes.map(({ colour }) => colour) : drawing.model.kinds.map((kind) => `kind-${kind}`);
    /** @type {Map<number, string>} */
    this.mains = new Map();
    /** @type {Uint32Array | null} */
    this.held = null;
  }

  /** The colour of a node. @param {number} node */
  colourOf(node) {
    return this.colours[this.of[node]];
  }

  /** The colour that most drawn nodes in an open group have, or "" for none. @param {number} item */
  mainOf(item) {
    let main = this.mains.get(item);
    if (main === undefined) this.mains.set(item, (main = this.findMain(item)));
    return main;
  }

  /** @param {number} item */
  findMain(item) {
    const { drawing, of, colours } = this;
    const { items } = drawing.scene;
    const counts = new Uint32Array(colours.length);
    for (let i = item; i < items.end[item]; i++) if (drawing.isNode(i)) counts[of[items.ref[i]]]++;
    const most = Math.max(...counts);
    return most ? colours[counts.indexOf(most)] : "";
  }

  /** How many nodes of each class a group holds, nested ones too. @param {number} group @returns {Uint32Array} */
  makeupOf(group) {
    this.held ??= count(this.drawing, this.of, this.colours.length);
    return this.held.subarray(group * this.colours.length, (group + 1) * this.colours.length);
  }
}

/** @param {Drawing} drawing @param {Uint8Array} of @param {number} classes @returns {Uint32Array} groups times classes */
function count({ model, tree }, of, classes) {
  const held = new Uint32Array(tree.count * classes);
  for (let node = 0; node < model.count; node++) {
    if (model.folded[node]) continue;
    for (let group = tree.groupOf[node]; group > 0; group = tree.parent[group]) held[group * classes + of[node]]++;
  }
  return held;
}
