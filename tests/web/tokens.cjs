// Reads [[text, text], ...] of modules; prints the numbers of the pairs that are not the same program, line for line.
// Run with --expose-internals: node has a whole parser inside, which shares nothing with ours.
const { parse } = require("internal/deps/acorn/acorn/dist/acorn");

function tokens(text) {
  const found = [];
  const onToken = ({ type, start, end, loc }) => found.push(`${type.label} ${loc.start.line} ${text.slice(start, end)}`);
  parse(text, { ecmaVersion: "latest", sourceType: "module", locations: true, onToken });
  return JSON.stringify(found);
}

const pairs = JSON.parse(require("node:fs").readFileSync(0, "utf-8"));
console.log(JSON.stringify(pairs.flatMap(([one, other], at) => (tokens(one) === tokens(other) ? [] : [at]))));
