/** How many lines pass beside the nodes of every rank, and whether another one still may; see Note [Long edges]. */

/** So many can still be followed one by one; U-Nets stay below, and what a forward pass saves for its backward is labelled at both ends. */
export const MAX_PASSING = 16;

export class PassingLines {
  /**
   * @param {number} ranks of all groups together
   * @param {Int32Array} reach by net: rank behind its upper end; owned from now on
   */
  constructor(ranks, reach) {
    this.passing = new Uint8Array(ranks);
    this.reach = reach;
  }

  /**
   * Whether a net's trunk may run down to a rank.
   * @param {number} net
   * @param {number} bottom
   * @param {number} first where the group's ranks start
   */
  fits(net, bottom, first) {
    for (let r = this.reach[net]; r < bottom; r++) if (this.passing[first + r] >= MAX_PASSING) return false;
    return true;
  }

  /** Lets it. @param {number} net @param {number} bottom @param {number} first */
  take(net, bottom, first) {
    for (let r = this.reach[net]; r < bottom; r++) this.passing[first + r]++;
    this.reach[net] = Math.max(this.reach[net], bottom);
  }
}
