import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32, inflateSync } from "node:zlib";
import { PngWriter } from "../../../static/js/base/png.js";

/** @param {Uint8Array} bytes */
function chunks(bytes) {
  const view = new DataView(bytes.buffer);
  assert.deepEqual([...bytes.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10]);
  /** @type {{type: string, data: Uint8Array}[]} */
  const found = [];
  for (let at = 8; at < bytes.length; ) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    assert.equal(view.getUint32(at + 8 + length), crc32(bytes.subarray(at + 4, at + 8 + length)), `the checksum of ${type}`);
    found.push({ type, data: bytes.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return found;
}

/** RGB of every pixel. @param {Uint8Array} bytes @param {number} width @param {number} height */
function decode(bytes, width, height) {
  const all = chunks(bytes);
  const head = new DataView(all[0].data.slice().buffer);
  assert.deepEqual([all[0].type, head.getUint32(0), head.getUint32(4), all[0].data[8], all[0].data[9]], ["IHDR", width, height, 8, 2]);
  assert.equal(all.at(-1)?.type, "IEND");
  const raw = inflateSync(Buffer.concat(all.filter(({ type }) => type === "IDAT").map(({ data }) => data)));
  assert.equal(raw.length, height * (width * 3 + 1));
  const out = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    assert.equal(raw[y * (width * 3 + 1)], 2);
    for (let x = 0; x < width * 3; x++) out[y * width * 3 + x] = raw[y * (width * 3 + 1) + 1 + x] + (y ? out[(y - 1) * width * 3 + x] : 0);
  }
  return out;
}

test("a picture written band by band is the picture", async () => {
  const [width, height] = [37, 53];
  const rgba = Uint8ClampedArray.from({ length: width * height * 4 }, (_, i) => (i * 2654435761) >>> 24);
  const writer = new PngWriter(width, height, 2);
  for (let top = 0; top < height; top += 10) await writer.write(rgba.subarray(top * width * 4, Math.min(height, top + 10) * width * 4));
  const bytes = new Uint8Array(await (await writer.end()).arrayBuffer());
  const pixels = decode(bytes, width, height);
  for (let i = 0; i < width * height; i++)
    for (let part = 0; part < 3; part++) assert.equal(pixels[i * 3 + part], rgba[i * 4 + part]);
});

test("its size on paper is that of the drawing", async () => {
  const writer = new PngWriter(1, 1, 2);
  await writer.write(Uint8Array.of(1, 2, 3, 255));
  const all = chunks(new Uint8Array(await (await writer.end()).arrayBuffer()));
  const density = all.find(({ type }) => type === "pHYs")?.data ?? new Uint8Array();
  const metre = new DataView(density.slice().buffer).getUint32(0);
  assert.ok(Math.abs(metre * 0.0254 - 192) < 0.05);
});

test("half a row is an error", async () => {
  const writer = new PngWriter(2, 1, 1);
  await assert.rejects(writer.write(new Uint8Array(4)), /no whole rows/);
  await writer.abort();
});
