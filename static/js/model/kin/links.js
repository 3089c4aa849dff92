/**
 * Which nodes of two graphs are kin: the answer of `GET .../links/A/B` as compressed rows, both ways, so that the kin of ten
 * thousand selected nodes are found in a millisecond.
 */

/**
 * @typedef {object} LinksAnswer docs/api.md
 * @property {string} a GID
 * @property {string} b GID
 * @property {[number, number, string][]} exact node of a, node of b, evidence
 * @property {[number, number][]} line node of a, node of b: same frame and module, nothing better is known
 * @property {number} [cut] links left out because too many nodes share one line or one number
 * @property {{a: {[why: string]: number}, b: {[why: string]: number}}} unlinked how many call nodes have no exact link, by reason
 *
 * @typedef {object} Rows links of node i: `node[start[i]]` up to, not including, `node[start[i + 1]]`
 * @property {Uint32Array} start
 * @property {Int32Array} node in the other graph
 * @property {Uint16Array} how 0: line; else one more than the index into the evidence words
 *
 * @typedef {object} Kin nodes of one graph, ascending, each in one of the two
 * @property {Int32Array} exact
 * @property {Int32Array} line
 */

const NONE = new Int32Array(0);

/** Nobody is kin. @type {Kin} */
export const NO_KIN = Object.freeze({ exact: NONE, line: NONE });

/** The links of two graphs, or of one graph with itself. Immutable. */
export class Links {
  /**
   * @param {LinksAnswer} answer @param {number} countA nodes of graph a @param {number} countB nodes of graph b
   * @throws {RangeError} when a link points outside one of the graphs
   */
  constructor(answer, countA, countB) {
    this.a = answer.a;
    this.b = answer.b;
    this.unlinked = answer.unlinked;
    this.cut = answer.cut ?? 0;
    /** @type {readonly string[]} */
    this.evidence = [...new Set(answer.exact.map(([, , word]) => word))];
    const { from, to, how } = columns(answer, this.evidence);
    check(`${answer.a} to ${answer.b}`, from, countA);
    check(`${answer.a} to ${answer.b}`, to, countB);
    const self = answer.a === answer.b;
    /** @type {Rows} links of each node of a */
    this.fromA = self ? rows(countA, concat(from, to), concat(to, from), concat16(how, how)) : rows(countA, from, to, how);
    /** @type {Rows} links of each node of b */
    this.fromB = self ? this.fromA : rows(countB, to, from, how);
  }

  /** @param {string} gid one of the two graphs @returns {Rows} the links of its nodes */
  rowsOf(gid) {
    if (gid !== this.a && gid !== this.b) throw new RangeError(`${gid} is neither ${this.a} nor ${this.b}`);
    return gid === this.a ? this.fromA : this.fromB;
  }

  /** How many nodes the graph on the other side of `gid` has. @param {string} gid */
  countBeyond(gid) {
    return (gid === this.a ? this.fromB : this.fromA).start.length - 1;
  }

  /**
   * The nodes of the other graph that are kin of some nodes of this one.
   * @param {string} gid one of the two graphs @param {ArrayLike<number>} nodes of it @returns {Kin}
   */
  kinOf(gid, nodes) {
    const { start, node, how } = this.rowsOf(gid);
    const best = new Uint8Array(this.countBeyond(gid)); // 1: line, 2: exact
    for (let i = 0; i < nodes.length; i++) {
      for (let k = start[nodes[i]]; k < start[nodes[i] + 1]; k++) {
        const rank = how[k] === 0 ? 1 : 2;
        if (best[node[k]] < rank) best[node[k]] = rank;
      }
    }
    return { exact: where(best, 2), line: where(best, 1) };
  }

  /**
   * What the exact links of some nodes rest on, the most frequent first.
   * @param {string} gid @param {ArrayLike<number>} nodes @returns {string[]}
   */
  evidenceOf(gid, nodes) {
    const { start, how } = this.rowsOf(gid);
    const counts = new Uint32Array(this.evidence.length + 1);
    for (let i = 0; i < nodes.length; i++) for (let k = start[nodes[i]]; k < start[nodes[i] + 1]; k++) counts[how[k]]++;
    const used = [...this.evidence.keys()].filter((word) => counts[word + 1] > 0);
    return used.sort((x, y) => counts[y + 1] - counts[x + 1]).map((word) => this.evidence[word]);
  }
}

/** @param {LinksAnswer} answer @param {readonly string[]} words */
function columns({ exact, line }, words) {
  const index = new Map(words.map((word, i) => [word, i + 1]));
  const count = exact.length + line.length;
  const from = new Int32Array(count);
  const to = new Int32Array(count);
  const how = new Uint16Array(count);
  for (let i = 0; i < exact.length; i++) {
    from[i] = exact[i][0];
    to[i] = exact[i][1];
    how[i] = /** @type {number} */ (index.get(exact[i][2]));
  }
  for (let i = 0, at = exact.length; i < line.length; i++, at++) {
    from[at] = line[i][0];
    to[at] = line[i][1];
  }
  return { from, to, how };
}

/** @param {string} pair @param {Int32Array} nodes @param {number} count */
function check(pair, nodes, count) {
  for (let i = 0; i < nodes.length; i++)
    if (nodes[i] < 0 || nodes[i] >= count) throw new RangeError(`${pair}: link ${i} names node ${nodes[i]} of ${count}`);
}

/**
 * A counting sort of the links by their near end.
 * @param {number} count @param {Int32Array} near @param {Int32Array} far @param {Uint16Array} how @returns {Rows}
 */
function rows(count, near, far, how) {
  const start = new Uint32Array(count + 1);
  for (let i = 0; i < near.length; i++) start[near[i] + 1]++;
  for (let i = 0; i < count; i++) start[i + 1] += start[i];
  const next = start.slice();
  const node = new Int32Array(near.length);
  const sorted = new Uint16Array(near.length);
  for (let i = 0; i < near.length; i++) {
    const at = next[near[i]]++;
    node[at] = far[i];
    sorted[at] = how[i];
  }
  return { start, node, how: sorted };
}

/** @param {Int32Array} a @param {Int32Array} b */
function concat(a, b) {
  const both = new Int32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** @param {Uint16Array} a @param {Uint16Array} b */
function concat16(a, b) {
  const both = new Uint16Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** @param {Uint8Array} ranks @param {number} rank @returns {Int32Array} */
function where(ranks, rank) {
  let count = 0;
  for (let i = 0; i < ranks.length; i++) if (ranks[i] === rank) count++;
  if (count === 0) return NONE;
  const found = new Int32Array(count);
  for (let i = 0, at = 0; i < ranks.length; i++) if (ranks[i] === rank) found[at++] = i;
  return found;
}
