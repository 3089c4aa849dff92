/**
 * Horizontal lines between two ranks: every net that bends gets a track, so that different values never run on top of each
 * other. Lines to the right start with the rightmost (its track is the highest), lines to the left with the leftmost: so no
 * two of the same direction cross needlessly.
 */

/** Beyond this many tracks lines share: a gap as high as a screen is worse. */
const MAX_TRACKS = 24;

/**
 * @typedef {object} Bends horizontal lines of one gap, one per net
 * @property {number} count
 * @property {Float64Array} low left end
 * @property {Float64Array} high right end
 * @property {Float64Array} source where the net comes from above
 */

/**
 * @param {Bends} bends
 * @returns {{track: Int32Array, tracks: number}} track of every line, 0 the highest
 */
export function assignTracks({ count, low, high, source }) {
  const track = new Int32Array(count);
  /** @type {number[][]} */
  const [right, left] = [[], []];
  for (let i = 0; i < count; i++) (high[i] - source[i] >= source[i] - low[i] ? right : left).push(i);
  right.sort((a, b) => source[b] - source[a] || high[a] - high[b] || a - b);
  left.sort((a, b) => source[a] - source[b] || low[b] - low[a] || a - b);
  const rightTracks = stack(
    right,
    (i) => -high[i],
    (i) => -low[i],
    track,
  );
  const leftTracks = stack(
    left,
    (i) => low[i],
    (i) => high[i],
    track,
  );
  const beside = most(right, high) < least(left, low) || most(left, high) < least(right, low);
  if (!beside) for (const i of left) track[i] = Math.min(track[i] + rightTracks, 2 * MAX_TRACKS - 1);
  return { track, tracks: beside ? Math.max(rightTracks, leftTracks) : rightTracks + leftTracks };
}

/**
 * Lines in order, each into the highest track below all earlier ones that it overlaps. Directions are mirrored so that
 * later lines lie farther along.
 * @param {number[]} lines @param {(i: number) => number} begin @param {(i: number) => number} end @param {Int32Array} track
 */
function stack(lines, begin, end, track) {
  /** @type {number[]} how far along each track is taken */
  const taken = [];
  for (const i of lines) {
    let t = taken.length;
    while (t > 0 && begin(i) > taken[t - 1]) t--;
    t = Math.min(t, MAX_TRACKS - 1);
    taken[t] = Math.max(taken[t] ?? -Infinity, end(i));
    track[i] = t;
  }
  return taken.length;
}

/** @param {number[]} lines @param {Float64Array} end */
function most(lines, end) {
  return lines.reduce((found, i) => Math.max(found, end[i]), -Infinity);
}

/** @param {number[]} lines @param {Float64Array} end */
function least(lines, end) {
  return lines.reduce((found, i) => Math.min(found, end[i]), Infinity);
}
