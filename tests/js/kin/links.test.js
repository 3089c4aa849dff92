import assert from "node:assert/strict";
import { test } from "node:test";

import { GraphModel } from "../../../static/js/model/graph.js";
import { groupTree } from "../../../static/js/model/groups.js";
import { nodesInside } from "../../../static/js/model/kin/inside.js";
import { kinBetween, sameLine } from "../../../static/js/model/kin/kin.js";
import { Links } from "../../../static/js/model/kin/links.js";
import { Sketch, random, randomGraph } from "../layout/samples.js";

/** @typedef {import("../../../static/js/model/kin/links.js").LinksAnswer} LinksAnswer */

/** @param {Partial<LinksAnswer>} change @returns {LinksAnswer} */
const answer = (change) => ({ a: "export.0", b: "core_aten.0", exact: [], line: [], unlinked: { a: {}, b: {} }, ...change });

/** @param {import("../../../static/js/model/kin/links.js").Kin} kin */
const plain = ({ exact, line }) => ({ exact: [...exact], line: [...line] });

test("one node became three; each of them came from it", () => {
  const links = new Links(
    answer({
      exact: [
        [1, 4, "from_node"],
        [1, 2, "from_node"],
        [1, 3, "original_aten"],
      ],
      line: [[0, 2]],
    }),
    2,
    5,
  );
  assert.deepEqual(plain(links.kinOf("export.0", [1])), { exact: [2, 3, 4], line: [] });
  assert.deepEqual(plain(links.kinOf("core_aten.0", [2])), { exact: [1], line: [0] });
  assert.deepEqual(plain(links.kinOf("core_aten.0", [0])), { exact: [], line: [] });
  assert.deepEqual(links.evidenceOf("export.0", [1]), ["from_node", "original_aten"]);
  assert.deepEqual(links.evidenceOf("core_aten.0", [0]), []);
});

test("who is kin exactly is not counted as of the same line again, and nobody twice", () => {
  const links = new Links(
    answer({
      exact: [
        [0, 1, "name"],
        [1, 1, "seq_nr"],
        [0, 1, "seq_nr"],
      ],
      line: [
        [0, 1],
        [1, 0],
        [0, 0],
      ],
    }),
    2,
    2,
  );
  assert.deepEqual(plain(links.kinOf("export.0", [0, 1])), { exact: [1], line: [0] });
  assert.deepEqual(links.evidenceOf("core_aten.0", [1]), ["seq_nr", "name"], "the more frequent word first");
});

test("the links of a graph with itself hold both ways, without the asked nodes", () => {
  const own = new Sketch("joint.0");
  for (let i = 0; i < 4; i++) own.node("op", []);
  const model = own.model();
  const links = new Links(
    answer({
      a: "joint.0",
      b: "joint.0",
      exact: [
        [0, 2, "seq_nr"],
        [0, 3, "seq_nr"],
      ],
    }),
    4,
    4,
  );
  assert.deepEqual(plain(links.kinOf("joint.0", [0])), { exact: [2, 3], line: [] });
  assert.deepEqual(plain(links.kinOf("joint.0", [3])), { exact: [0], line: [] });
  assert.deepEqual(plain(kinBetween(model, [0, 2], model, links)), { exact: [3], line: [] });
  assert.deepEqual(plain(kinBetween(model, [0], model, null)), { exact: [], line: [] });
});

test("a link that points outside its graph is refused with both numbers", () => {
  assert.throws(() => new Links(answer({ exact: [[0, 5, "name"]] }), 2, 5), /link 0 names node 5 of 5/);
  assert.throws(() => new Links(answer({ line: [[-1, 0]] }), 2, 5), /names node -1 of 2/);
  const links = new Links(answer({}), 2, 5);
  assert.throws(() => links.kinOf("joint.0", [0]), /joint.0 is neither/);
});

test("the rows say what the pairs say, at random", () => {
  for (let seed = 0; seed < 60; seed++) {
    const next = random(seed);
    const below = (/** @type {number} */ n) => Math.floor(next() * n);
    const [a, b] = [1 + below(30), 1 + below(30)];
    const words = ["from_node", "name", "seq_nr", "from_node+name"];
    const exact = Array.from(
      { length: below(80) },
      () => /** @type {[number, number, string]} */ ([below(a), below(b), words[below(4)]]),
    );
    const line = Array.from({ length: below(80) }, () => /** @type {[number, number]} */ ([below(a), below(b)]));
    const links = new Links(answer({ exact, line }), a, b);
    const asked = Array.from({ length: below(6) }, () => below(a));
    const of = (/** @type {[number, number, string?][]} */ pairs) =>
      new Set(pairs.filter(([i]) => asked.includes(i)).map(([, j]) => j));
    const wanted = of(exact);
    const lighter = [...of(line)].filter((node) => !wanted.has(node));
    const up = (/** @type {number} */ x, /** @type {number} */ y) => x - y;
    assert.deepEqual(plain(links.kinOf("export.0", asked)), { exact: [...wanted].sort(up), line: lighter.sort(up) });
    for (const [i, j] of exact) assert.ok(links.kinOf("core_aten.0", [j]).exact.includes(i));
  }
});

test("until links are here, the nodes of the same source line are kin, as line", () => {
  const lined = (/** @type {string} */ id, /** @type {[string, number][]} */ lines, /** @type {number[]} */ of) => {
    const sketch = new Sketch(id);
    of.forEach(() => sketch.node("op", []));
    const columns = sketch.columns();
    return new GraphModel({ ...columns, lines, nodes: { ...columns.nodes, line: of } });
  };
  const from = lined(
    "export.0",
    [
      ["m.py", 3],
      ["m.py", 9],
    ],
    [0, 1, -1],
  );
  const to = lined(
    "core_aten.0",
    [
      ["m.py", 9],
      ["other.py", 3],
      ["m.py", 3],
    ],
    [2, 2, 1, 0, -1],
  );
  assert.deepEqual([...sameLine(from, [0], to)], [0, 1]);
  assert.deepEqual([...sameLine(from, [0, 1], to)], [0, 1, 3]);
  assert.deepEqual([...sameLine(from, [2], to)], []);
  assert.deepEqual(plain(kinBetween(from, [1], to, null)), { exact: [], line: [3] });
  assert.deepEqual(plain(kinBetween(from, [1], to, new Links(answer({}), 3, 5))), { exact: [], line: [] }, "known: none");
});

test("a group holds its own nodes and those of the groups inside it", () => {
  for (let seed = 0; seed < 20; seed++) {
    const graph = randomGraph(seed, 60);
    const tree = groupTree(graph);
    for (let group = 0; group < tree.count; group++) {
      const wanted = [...Array(graph.count).keys()].filter((node) => {
        let at = tree.groupOf[node];
        while (at > 0 && at !== group) at = tree.parent[at];
        return at === group;
      });
      assert.deepEqual(nodesInside(tree, group), wanted);
    }
  }
});
