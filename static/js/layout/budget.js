/**
 * How long a layout may take. Every pass is close to linear, yet a graph can be of any size and a machine as slow as it likes:
 * so a layout that takes longer than TIDY_MS is finished without untangling lines any further, and says so; one that takes
 * longer than MOST_MS is given up. Time in which others were served counts: the person waits for it all the same.
 */

/** Longer than a person waits without asking what is going on; the largest graph captured so far takes a fifth of it. */
export const TIDY_MS = 5_000;
const MOST_MS = 60_000;

/** A layout was given up; the message is for the person. */
export class OverBudget extends Error {}

export class Budget {
  /** @param {() => number} now milliseconds @param {{tidyMs?: number, mostMs?: number}} [limits] */
  constructor(now, { tidyMs = TIDY_MS, mostMs = MOST_MS } = {}) {
    this.now = now;
    this.since = now();
    this.tidyMs = tidyMs;
    this.mostMs = mostMs;
  }

  /** Whether what is left has to be done roughly. */
  get spent() {
    return this.now() - this.since > this.tidyMs;
  }

  /** Throws an OverBudget when it is time to give up. @param {number} nodes of the graph */
  check(nodes) {
    if (this.now() - this.since <= this.mostMs) return;
    const seconds = Math.round(this.mostMs / 1000);
    throw new OverBudget(
      `laying out ${nodes.toLocaleString("en")} nodes took more than ${seconds} s and was stopped. Close some groups, or draw a part of the graph only.`,
    );
  }
}

/** Takes all the time it needs. */
export const ENDLESS = new Budget(() => 0);
