// The API's answers as a standalone file holds them. No DOM: pieces are read by whoever made this.

/** @typedef {(name: string) => Promise<{status: number, text: string}>} Read gives an answer by the address that the server answered with it */

const NODE = /^(.*\/graphs\/[^/]+\/nodes)\/([^/]+)$/;
const LINKS = /^(.*\/links)\/([^/]+)\/([^/]+)$/;
const CHARTS = /\/charts$/;
const TRACE = /\/trace\//;

/** Answers as `fetch` does. */
export class Kept {
  /** @param {Iterable<string>} names addresses whose answers are here @param {Read} read */
  constructor(names, read) {
    this.read = read;
    /** By the address in one spelling. */
    this.names = new Map(Array.from(names, (name) => [spelled(name), name]));
    /** The details of all nodes of the graphs asked last. @type {Map<string, Promise<Map<string, any>>>} */
    this.nodes = new Map();
    this.script = "";
  }

  /** @param {string} path @param {RequestInit} [init] @returns {Promise<Response>} */
  async answer(path, init) {
    if (init?.method && init.method !== "GET") return refused(501, "This needs a server", "This page is a file; it can show, but not capture or delete.");
    const name = this.names.get(spelled(path));
    if (name) return CHARTS.test(name) ? this.charts(name) : this.piece(name);
    return (await this.node(path)) ?? (await this.turned(path)) ?? notHere(path);
  }

  /** @param {string} name */
  async piece(name) {
    const { status, text } = await this.read(name);
    return new Response(text, { status, headers: { "Content-Type": "application/json" } });
  }

  /** One node out of all of its graph. @param {string} path @returns {Promise<Response|null>} */
  async node(path) {
    const [, all, node] = NODE.exec(path) ?? [];
    const name = all && this.names.get(spelled(all));
    if (!name) return null;
    let known = this.nodes.get(name);
    if (!known) this.nodes.set(name, (known = this.everyNode(name)));
    const found = (await known).get(decodeURIComponent(node));
    return found ? Response.json(found) : null;
  }

  /** @param {string} name @returns {Promise<Map<string, any>>} */
  async everyNode(name) {
    const { text } = await this.read(name);
    return new Map(JSON.parse(text).nodes.map((/** @type {{name: string}} */ node) => [node.name, node]));
  }

  /** Links are held in one direction. @param {string} path @returns {Promise<Response|null>} */
  async turned(path) {
    const [, base, a, b] = LINKS.exec(path) ?? [];
    const name = base && this.names.get(spelled(`${base}/${b}/${a}`));
    if (!name) return null;
    const { status, text } = await this.read(name);
    return status === 200 ? Response.json(turnedLinks(JSON.parse(text))) : new Response(text, { status });
  }

  /** The list of the charts, with plotly.js at an address of its own in place of the server's. @param {string} name */
  async charts(name) {
    const { status, text } = await this.read(name);
    const list = JSON.parse(text);
    if (!this.script) {
      const script = await this.read(list.script);
      this.script = URL.createObjectURL(new Blob([script.text], { type: "text/javascript" }));
    }
    return Response.json({ ...list, script: this.script }, { status });
  }
}

/** @param {any} links of a with b @returns {any} of b with a */
function turnedLinks({ a, b, exact, line, unlinked, cut }) {
  const order = (/** @type {number[]} */ x, /** @type {number[]} */ y) => x[0] - y[0] || x[1] - y[1];
  return {
    a: b,
    b: a,
    exact: exact.map((/** @type {any[]} */ [i, j, evidence]) => [j, i, evidence]).sort(order),
    line: line.map((/** @type {number[]} */ [i, j]) => [j, i]).sort(order),
    unlinked: { a: unlinked.b, b: unlinked.a },
    cut,
  };
}

/** An address without the differences of spelling: `%2F` and what need not be escaped. @param {string} path */
function spelled(path) {
  const [before, query = ""] = path.split("?");
  const parts = before.split("/").map((part) => encodeURIComponent(decodeURIComponent(part)));
  return query ? `${parts.join("/")}?${new URLSearchParams(query)}` : parts.join("/");
}

/** @param {string} path */
function notHere(path) {
  const what = TRACE.test(path) ? "Gradient paths are not in this file" : "This is not in this file";
  return refused(404, what, TRACE.test(path) ? "The server finds them one by one; open the capture there." : "");
}

/** @param {number} status @param {string} title @param {string} detail */
function refused(status, title, detail) {
  return Response.json({ type: "about:blank", code: "not-found", title, status, detail, hint: "" }, { status });
}
