/** A forward and a backward graph made ready to be drawn side by side. Immutable. */

import { GraphModel } from "../graph.js";
import { groupTree } from "../groups.js";
import { backwardColumns, forwardColumns, joinedColumns, justInTime, moved } from "./columns.js";
import { joinedTree, pairGroups } from "./pairs.js";

/**
 * @typedef {import("./types.js").MirrorAnswer} MirrorAnswer
 * @typedef {import("./types.js").GraphColumns} GraphColumns
 * @typedef {import("./types.js").GroupTree} GroupTree
 */

/** Groups of a pair open and close together: a set of open groups always holds both or neither. */
export class MirrorModel {
  /** @param {MirrorAnswer} answer @param {GraphColumns} ahead @param {GraphColumns} back */
  constructor(answer, ahead, back) {
    const place = justInTime(back);
    /** Node of the backward, by its number in its graph -> as it is drawn; -1: not at all. */
    this.place = place;
    /** Node of the backward, as it is drawn -> its number in its graph. */
    this.numbers = inverse(place);
    /** The answer; nodes of the backward have the numbers by which they are drawn. */
    this.answer = { ...answer, cut: placedCut(answer.cut, place), kin: Array.from(this.numbers, (node) => answer.kin[node]) };
    /** Nodes of each graph, the output that is not drawn included. */
    this.counts = { forward: ahead.nodes.name.length, backward: back.nodes.name.length };
    /** GIDs. */
    this.forward = ahead.id;
    this.backward = back.id;
    const chips = answer.cut.saved.filter((each) => ahead.nodes.chip[each.forward]).map((each) => each.backward);
    const halves = [forwardColumns(ahead), moved(backwardColumns(back, chips), place)];
    /** What the layout is given. */
    this.sides = { forward: new GraphModel(halves[0]), backward: new GraphModel(halves[1]) };
    /** Both halves as one graph, to draw. */
    this.model = new GraphModel(joinedColumns(halves[0], halves[1], `mirror of ${ahead.id}`));
    /** Number of the first node of the backward in it. */
    this.offset = this.sides.forward.count;
    /** As the layout makes them. */
    this.trees = { forward: groupTree(this.sides.forward), backward: groupTree(this.sides.backward) };
    /** Number of groups of the forward; those of the backward follow. */
    this.groups = this.trees.forward.count;
    /** How many nodes, groups and edges the backward's follow on. */
    this.offsets = { nodes: this.offset, groups: this.groups, edges: this.sides.forward.edges.count };
    const partner = pairGroups(this.trees.forward, this.trees.backward, ahead.modules, back.modules, this.answer.kin);
    const counts = { nodes: this.offset, modules: ahead.modules.length, calls: ahead.calls.length };
    const joined = joinedTree(this.trees.forward, this.trees.backward, counts);
    /** By group of the joined tree: the group on the other side, or -1. */
    this.partner = bothWays(partner, joined.count, this.groups);
    this.tree = { ...joined, open: this.paired(joined.open, (a, b) => a & b) };
    /** The same tree for the address: of a pair only the forward's group has a path. @type {GroupTree} */
    this.rows = { ...this.tree, shown: this.tree.shown.map((shown, g) => (this.isLead(g) ? shown : -1)) };
  }

  /** Whether a group speaks for its pair: that of the forward, or one that has no partner. @param {number} group */
  isLead(group) {
    return group < this.groups || this.partner[group] < 0;
  }

  /** @param {Uint8Array} open @param {(a: number, b: number) => number} join of the two of a pair @returns {Uint8Array} */
  paired(open, join) {
    const joined = open.slice();
    for (let g = 1; g < this.groups; g++) {
      const other = this.partner[g];
      if (other >= 0) joined[g] = joined[other] = join(open[g], open[other]);
    }
    return joined;
  }

  /** The set in which the backward's group of every pair is as the forward's. @param {Uint8Array} open */
  ledBy(open) {
    return this.paired(open, (a) => a);
  }

  /** The open groups of one half, for its layout. @param {Uint8Array} open @returns {{forward: Uint8Array, backward: Uint8Array}} */
  halves(open) {
    const backward = open.slice(this.groups - 1);
    backward[0] = 1;
    return { forward: open.slice(0, this.groups), backward };
  }

  /** The number in the drawing of a node of one of the two graphs; -1: it is of neither, or not drawn. @param {string} gid @param {string} name */
  indexOf(gid, name) {
    if (gid === this.forward) return this.sides.forward.indexOf(name);
    const index = gid === this.backward ? this.sides.backward.indexOf(name) : -1;
    return index < 0 ? -1 : index + this.offset;
  }

  /** The graph and the name of a node of the drawing. @param {number} node @returns {{gid: string, name: string, index: number}} */
  nodeAt(node) {
    const back = node >= this.offset;
    const index = back ? this.numbers[node - this.offset] : node;
    return { gid: back ? this.backward : this.forward, name: this.model.name[node], index };
  }

  /** The graph and the path of a group of the drawing, as that graph's own tree calls it. @param {number} group @returns {{gid: string, path: string}} */
  groupAt(group) {
    const back = group >= this.groups;
    return { gid: back ? this.backward : this.forward, path: this.tree.path[group].replace(back ? /^backward:/ : /^(?!)/, "") };
  }

  /** The group that a graph calls so, or -1. @param {string} gid @param {string} path */
  groupOf(gid, path) {
    const group = this.tree.path.indexOf(gid === this.backward ? `backward:${path}` : path);
    const known = gid === this.backward || gid === this.forward;
    return known && group >= 0 ? this.tree.shown[group] : -1;
  }
}

/** @param {Int32Array} place -1: nowhere */
function inverse(place) {
  const found = new Int32Array(place.reduce((most, at) => Math.max(most, at + 1), 0));
  place.forEach((at, node) => {
    if (at >= 0) found[at] = node;
  });
  return found;
}

/** @param {import("./types.js").Cut} cut @param {Int32Array} place @returns {import("./types.js").Cut} */
function placedCut(cut, place) {
  return {
    ...cut,
    saved: cut.saved.map((each) => ({
      ...each,
      backward: place[each.backward],
      readers: each.readers.map((node) => place[node]).filter((node) => node >= 0),
    })),
    recomputed: cut.recomputed.map((each) => ({ ...each, backward: place[each.backward] })),
    gradients: cut.gradients.map((each) => ({ ...each, node: each.node === null ? null : place[each.node] })),
  };
}

/** @param {Int32Array} partner of the backward's groups @param {number} count @param {number} groups of the forward */
function bothWays(partner, count, groups) {
  const found = new Int32Array(count).fill(-1);
  for (let b = 1; b < partner.length; b++) {
    if (partner[b] < 0) continue;
    found[partner[b]] = b + groups - 1;
    found[b + groups - 1] = partner[b];
  }
  return found;
}
