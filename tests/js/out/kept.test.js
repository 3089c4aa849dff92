import assert from "node:assert/strict";
import { test } from "node:test";
import { Kept } from "../../../static/js/standalone/kept.js";

const BASE = "/api/captures/abc";

/** @param {{[name: string]: unknown}} answers */
function keptOf(answers) {
  /** @type {string[]} */
  const asked = [];
  const kept = new Kept(Object.keys(answers), async (name) => {
    asked.push(name);
    return { status: 200, text: JSON.stringify(answers[name]) };
  });
  return { kept, asked };
}

test("an address is found in any spelling, with its query", async () => {
  const { kept } = keptOf({ [`${BASE}/graphs/export.0%2Ftrue_graph_0`]: 1, [`${BASE}/story?target=t1`]: 2 });
  assert.equal(await (await kept.answer(`${BASE}/graphs/export.0%2Ftrue_graph_0`)).json(), 1);
  assert.equal(await (await kept.answer(`${BASE}/graphs/export%2E0%2ftrue_graph_0`)).json(), 1);
  assert.equal(await (await kept.answer(`${BASE}/story?target=t1`)).json(), 2);
  assert.equal((await kept.answer(`${BASE}/story?target=t2`)).status, 404);
});

test("a status other than 200 is kept", async () => {
  const kept = new Kept([`${BASE}/log`], async () => ({ status: 404, text: '{"title": "no"}' }));
  const answer = await kept.answer(`${BASE}/log`);
  assert.deepEqual([answer.status, await answer.json()], [404, { title: "no" }]);
});

test("one node is taken out of all of its graph, which is read once", async () => {
  const { kept, asked } = keptOf({ [`${BASE}/graphs/export.0/nodes`]: { nodes: [{ name: "x", index: 0 }, { name: "a b", index: 1 }] } });
  assert.equal((await (await kept.answer(`${BASE}/graphs/export.0/nodes/x`)).json()).index, 0);
  assert.equal((await (await kept.answer(`${BASE}/graphs/export.0/nodes/a%20b`)).json()).index, 1);
  assert.equal((await kept.answer(`${BASE}/graphs/export.0/nodes/none`)).status, 404);
  assert.equal((await kept.answer(`${BASE}/graphs/export.1/nodes/x`)).status, 404);
  assert.equal(asked.length, 1);
});

test("links are turned where they are kept the other way round", async () => {
  const links = { a: "x", b: "y", exact: [[1, 5, "name"], [2, 3, "from_node"]], line: [[0, 2], [1, 1]], unlinked: { a: { call: 1 }, b: {} }, cut: 0 };
  const { kept } = keptOf({ [`${BASE}/links/x/y`]: links });
  assert.deepEqual(await (await kept.answer(`${BASE}/links/x/y`)).json(), links);
  assert.deepEqual(await (await kept.answer(`${BASE}/links/y/x`)).json(), {
    a: "y", b: "x", exact: [[3, 2, "from_node"], [5, 1, "name"]], line: [[1, 1], [2, 0]], unlinked: { a: {}, b: { call: 1 } }, cut: 0,
  });
});

test("what changes something is refused, and gradient paths are said to be missing", async () => {
  const { kept } = keptOf({ [BASE]: {} });
  const refused = await kept.answer(BASE, { method: "DELETE" });
  assert.equal(refused.status, 501);
  const trace = await kept.answer(`${BASE}/trace/joint.0/mul?how=gradient`);
  assert.equal(trace.status, 404);
  assert.match((await trace.json()).title, /^Gradient paths/);
});

test("the script of the charts has an address that the page may load", async () => {
  const kept = new Kept([`${BASE}/charts`], async (name) =>
    ({ status: 200, text: name === "/plotly.js" ? "window.Plotly = 1;" : JSON.stringify({ script: "/plotly.js", charts: [] }) }));
  const { script, charts } = await (await kept.answer(`${BASE}/charts`)).json();
  assert.match(script, /^blob:/);
  assert.equal(await (await fetch(script)).text(), "window.Plotly = 1;");
  assert.deepEqual(charts, []);
});
