/** Typed arrays that grow by doubling, for results whose length is not known beforehand. */

/** A list of 32-bit integers. */
export class Int32List {
  /** @param {number} [capacity] */
  constructor(capacity = 64) {
    this.data = new Int32Array(Math.max(capacity, 1));
    this.length = 0;
  }

  /** @param {number} value @returns {number} index of the value */
  push(value) {
    if (this.length === this.data.length) {
      const larger = new Int32Array(this.length * 2);
      larger.set(this.data);
      this.data = larger;
    }
    this.data[this.length] = value;
    return this.length++;
  }

  /** @returns {Int32Array} a view that the next push may leave behind */
  view() {
    return this.data.subarray(0, this.length);
  }
}

/** A list of 32-bit floats. */
export class Float32List {
  /** @param {number} [capacity] */
  constructor(capacity = 64) {
    this.data = new Float32Array(Math.max(capacity, 1));
    this.length = 0;
  }

  /** @param {number} a @param {number} b */
  pushPair(a, b) {
    if (this.length + 2 > this.data.length) {
      const larger = new Float32Array(this.data.length * 2 + 2);
      larger.set(this.data);
      this.data = larger;
    }
    this.data[this.length++] = a;
    this.data[this.length++] = b;
  }

  /** @returns {Float32Array} a copy of what was pushed */
  take() {
    return this.data.slice(0, this.length);
  }
}
