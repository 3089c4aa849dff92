/**
 * Writes a PNG row by row, so that it may be larger than any canvas: the specification is at https://www.w3.org/TR/png-3/.
 * Rows are RGBA as a canvas gives them; the alpha is dropped.
 */

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const EIGHT_BITS = 8;
const RGB = 2;
/** Every row is stored as its difference to the row above: a drawing is mostly upright lines and even ground. */
const UP = 2;
const INCHES_A_METRE = 39.3701;
/** CSS pixels an inch. */
const CSS_PPI = 96;

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  let value = n;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

export class PngWriter {
  /** @param {number} width pixels @param {number} height @param {number} scale pixels a CSS pixel: says how large it is on paper */
  constructor(width, height, scale) {
    this.width = width;
    this.above = new Uint8Array(width * 3);
    /** @type {Uint8Array<ArrayBuffer>[]} */
    this.parts = [SIGNATURE, chunk("IHDR", header(width, height)), chunk("pHYs", density(scale))];
    const squeezer = new CompressionStream("deflate");
    this.writer = squeezer.writable.getWriter();
    this.squeezed = this.collect(squeezer.readable);
    this.squeezed.catch(() => {}); // told by end()
  }

  /** @param {ReadableStream<Uint8Array<ArrayBuffer>>} stream */
  async collect(stream) {
    const reader = stream.getReader();
    for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read())
      this.parts.push(chunk("IDAT", /** @type {Uint8Array} */ (value)));
  }

  /** The next rows, from the top. @param {Uint8ClampedArray|Uint8Array} rgba as many whole rows as there are */
  async write(rgba) {
    const { width, above } = this;
    const rows = rgba.length / (width * 4);
    if (!Number.isInteger(rows)) throw new Error(`${rgba.length} bytes are no whole rows of ${width} pixels`);
    const out = new Uint8Array(rows * (width * 3 + 1));
    let to = 0;
    let from = 0;
    for (let row = 0; row < rows; row++) {
      out[to++] = UP;
      for (let at = 0; at < above.length; from++) {
        for (let part = 0; part < 3; part++, at++) {
          const value = rgba[from++];
          out[to++] = value - above[at];
          above[at] = value;
        }
      }
    }
    await this.writer.write(out);
  }

  /** @returns {Promise<Blob>} the file */
  async end() {
    await this.writer.close();
    await this.squeezed;
    return new Blob([...this.parts, chunk("IEND", new Uint8Array())], { type: "image/png" });
  }

  /** Nothing more will come. */
  async abort() {
    await this.writer.abort().catch(() => {});
  }
}

/** @param {string} type @param {Uint8Array} data @returns {Uint8Array<ArrayBuffer>} */
function chunk(type, data) {
  const out = new Uint8Array(data.length + 12);
  const view = new DataView(out.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) out[4 + i] = type.charCodeAt(i);
  out.set(data, 8);
  view.setUint32(data.length + 8, checksum(out.subarray(4, data.length + 8)));
  return out;
}

/** @param {Uint8Array} bytes */
function checksum(bytes) {
  let value = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) value = CRC[(value ^ bytes[i]) & 255] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

/** @param {number} width @param {number} height */
function header(width, height) {
  const out = new Uint8Array(13);
  const view = new DataView(out.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  out[8] = EIGHT_BITS;
  out[9] = RGB;
  return out;
}

/** @param {number} scale */
function density(scale) {
  const out = new Uint8Array(9);
  const view = new DataView(out.buffer);
  const dots = Math.max(1, Math.round(CSS_PPI * scale * INCHES_A_METRE));
  view.setUint32(0, dots);
  view.setUint32(4, dots);
  out[8] = 1; // a metre
  return out;
}
