import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { contrast, luminance, mix, parseHex } from "../../../static/js/base/colour.js";
import { HUES, RAMP } from "../../../static/js/model/colouring/classes.js";
import { KINDS, makeTheme } from "../../../static/js/render/theme.js";
import { difference } from "./colourvision.js";

const css = readFileSync(new URL("../../../static/css/graph.css", import.meta.url), "utf8");

/** @param {string} selector @returns {Map<string, string>} custom properties of a rule */
function properties(selector) {
  const from = css.indexOf(`${selector} {`);
  assert.ok(from >= 0, selector);
  const rule = css.slice(from, css.indexOf("}", from));
  return new Map([...rule.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map((match) => [match[1], match[2]]));
}

const themes = /** @type {const} */ ([["light", properties(":root")], ["dark", properties(':root[data-theme="dark"]')]]);

for (const [name, values] of themes) {
  const theme = makeTheme((property) => values.get(property) ?? assert.fail(`${property} is missing`));

  test(`${name}: text has the contrast of WCAG AA on every ground it stands on`, () => {
    const grounds = [theme.card, theme.surface, theme.closed, ...theme.shades, ...[...theme.kinds.values()].map(({ fill }) => fill)];
    for (const ground of grounds) {
      assert.ok(contrast(theme.ink, ground) >= 4.5, `ink on ${ground}`);
      assert.ok(contrast(theme["ink-muted"], ground) >= 4.5, `muted ink on ${ground}: ${contrast(theme["ink-muted"], ground)}`);
    }
    assert.ok(contrast(theme.card, theme.accent) >= 4.5, "counts on the accent");
    assert.ok(contrast(theme.card, theme.search) >= 4.5, "counts of a search");
  });

  test(`${name}: edges, buttons and marks can be told from their ground`, () => {
    for (const ground of [theme.surface, ...theme.shades]) {
      assert.ok(contrast(theme["border-strong"], theme.card) >= 2.5);
      assert.ok(contrast(theme.edge, ground) >= 1.9, `edges on ${ground}: ${contrast(theme.edge, ground)}`);
      for (const tone of /** @type {const} */ (["edge-in", "edge-out", "accent"])) assert.ok(contrast(theme[tone], ground) >= 3, `${tone} on ${ground}`);
    }
  });

  test(`${name}: kinds can be told apart with every common colour vision`, () => {
    const chips = new Set(["parameter", "buffer", "constant"]);
    for (const [at, a] of KINDS.entries()) {
      for (const b of KINDS.slice(at + 1)) {
        const seen = difference(values.get(`--kind-${a}`) ?? "", values.get(`--kind-${b}`) ?? "");
        // Chips also differ from boxes by their shape and place.
        assert.ok(seen >= (chips.has(a) || chips.has(b) ? 0.055 : 0.068), `${a} and ${b}: ${seen.toFixed(3)}`);
      }
    }
  });

  test(`${name}: hues can be told apart with every common colour vision, and from what has none`, () => {
    const hues = ["--none", ...Array.from({ length: HUES }, (_, i) => `--hue-${i + 1}`)].map((each) => values.get(each) ?? assert.fail(each));
    hues.forEach((a, at) => hues.slice(at + 1).forEach((b) => assert.ok(difference(a, b) >= 0.068, `${a} and ${b}: ${difference(a, b)}`)));
    for (const hue of hues.slice(1)) assert.ok(contrast(hue, theme.card) >= 2.2, `${hue} on a card`);
  });

  test(`${name}: the ramp goes one way in lightness, in steps that can be seen`, () => {
    const ramp = Array.from({ length: RAMP }, (_, i) => luminance(values.get(`--ramp-${i}`) ?? assert.fail(`ramp-${i}`)));
    const way = Math.sign(ramp[RAMP - 1] - ramp[0]);
    for (let i = 1; i < RAMP; i++) assert.ok((ramp[i] - ramp[i - 1]) * way > 0.001, `step ${i}`);
    assert.ok(contrast(values.get("--ramp-0") ?? "", theme.card) >= 1.5 && contrast(values.get(`--ramp-${RAMP - 1}`) ?? "", theme.card) >= 3);
  });

  test(`${name}: text stands on a fill of every colour`, () => {
    for (const [colour, { fill }] of theme.colours) assert.ok(contrast(theme.ink, fill) >= 4.5, colour);
  });

  test(`${name}: what goes in and what goes out differ with every common colour vision`, () => {
    assert.ok(difference(theme["edge-in"], theme["edge-out"]) >= 0.1);
  });
}

test("a theme without one of its colours is refused by name", () => {
  assert.throws(() => makeTheme(() => { throw new Error("--graph-ink has no value"); }), /--graph-ink/);
});

test("both themes name the same colours", () => {
  assert.deepEqual([...themes[0][1].keys()].sort(), [...themes[1][1].keys()].sort());
});

test("colours are read, mixed and measured", () => {
  assert.deepEqual(parseHex("#0af"), [0, 170, 255]);
  assert.throws(() => parseHex("red"), /"red": expected #rgb/);
  assert.equal(mix("#000000", "#ffffff", 0.5), "#808080");
  assert.equal(contrast("#000", "#fff"), 21);
  assert.equal(contrast("#777777", "#777777"), 1);
});
