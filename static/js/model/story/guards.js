// The guards of a piece of compiled code as a tree to show: what stands below what, what is found by words.

/**
 * @typedef {object} Branch a part of the tree as it is shown
 * @property {number} place the last of the places that it stands for
 * @property {string} text what is written for all of them: places without a check of their own and with one part below are
 *   written together, `.a` and `.b` as `.a.b`
 * @property {Branch[]} branches below it
 * @property {number[]} checks of its place
 */

/** The answer about guards, joined up. */
export class Guards {
  /** @param {Api.GuardTree} answer */
  constructor(answer) {
    this.answer = answer;
    const { places, checks } = answer;
    /** By place. @type {number[][]} */
    const below = places.map(() => []);
    /** By place. @type {number[][]} */
    this.checksOf = places.map(() => []);
    const roots = [];
    for (const [i, { parent }] of places.entries()) {
      if (parent < 0) roots.push(i);
      else below[parent].push(i);
    }
    for (const [i, { place }] of checks.entries()) this.checksOf[place].push(i);
    this.below = below;
    /** What is looked for in a check. */
    this.words = checks.map(({ place, kind, word, says, code, fixes }) =>
      [places[place].source, kind, word, says, fixes && "specialises", ...code].join(" ").toLowerCase(),
    );
    this.roots = roots.map((place) => this.branch(place));
  }

  /** @param {number} place @returns {Branch} */
  branch(place) {
    const { places } = this.answer;
    let text = places[place].text;
    while (this.checksOf[place].length === 0 && this.below[place].length === 1) {
      place = this.below[place][0];
      text += places[place].text;
    }
    const guards = this;
    /** @type {Branch[]|null} */
    let branches = null;
    return {
      place,
      text,
      checks: this.checksOf[place],
      get branches() {
        return (branches ??= guards.below[place].map((each) => guards.branch(each)));
      },
    };
  }

  /**
   * The checks that have all these words, of those that specialise the code if `fixed`.
   * @param {string} typed @param {boolean} fixed @returns {number[]}
   */
  find(typed, fixed) {
    const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
    const found = [];
    for (const [i, words] of this.words.entries()) {
      const { fixes, failed } = this.answer.checks[i];
      if (fixed && !fixes && !failed.length) continue;
      if (wanted.every((word) => words.includes(word))) found.push(i);
    }
    return found;
  }

  /** The places of some checks, and all around them. @param {readonly number[]} checks @returns {Set<number>} */
  around(checks) {
    const around = new Set();
    for (const check of checks) {
      let at = this.answer.checks[check].place;
      while (at >= 0 && !around.has(at)) {
        around.add(at);
        at = this.answer.places[at].parent;
      }
    }
    return around;
  }
}
