// The answer about operators as rows: one for each short name, so that `linear` of Dynamo and of ATen stand together. No DOM.

/**
 * @typedef {object} Row
 * @property {string} label
 * @property {string} kind
 * @property {string[]} targets full names, each once
 * @property {Map<string, Api.Operator[]>} stages stage -> its operators of that name
 * @property {"core"|"not core"|"both"|""} core of the ATen operators among them; "": there is none
 * @property {Api.Operator[]} left those that core_aten still has although they are not core
 * @property {Api.Became[]} became
 */

/** @param {Api.TargetOperators} target @returns {Row[]} those called most first */
export function surfaceRows(target) {
  /** @type {Map<string, Row>} */
  const rows = new Map();
  for (const stage of target.stages) {
    for (const operator of stage.operators) {
      const row = rows.get(operator.label) ?? newRow(operator);
      rows.set(operator.label, row);
      if (!row.targets.includes(operator.op)) row.targets.push(operator.op);
      row.stages.set(stage.id, [...(row.stages.get(stage.id) ?? []), operator]);
      if (operator.why) row.left.push(operator);
    }
  }
  for (const row of rows.values()) {
    row.core = coreOf([...row.stages.values()].flat());
    row.became = target.became.filter(({ op }) => row.targets.includes(op));
  }
  const most = (/** @type {Row} */ row) => Math.max(...[...row.stages.values()].map(callsOf));
  return [...rows.values()].sort((a, b) => most(b) - most(a) || a.label.localeCompare(b.label));
}

/** @param {readonly Api.Operator[]} operators */
export function callsOf(operators) {
  return operators.reduce((sum, { count }) => sum + count, 0);
}

/** @param {Api.Operator} operator @returns {Row} */
function newRow({ label, kind }) {
  return { label, kind, targets: [], stages: new Map(), core: "", left: [], became: [] };
}

/** @param {readonly Api.Operator[]} operators @returns {Row["core"]} */
function coreOf(operators) {
  const said = new Set(operators.map(({ core }) => core).filter((core) => core !== null));
  return said.size === 2 ? "both" : said.has(true) ? "core" : said.has(false) ? "not core" : "";
}

/** `addmm` for `aten.addmm.default`; the overload only where it says something. @param {string} op */
export function shortName(op) {
  const parts = op.split(".");
  return parts.length === 3 && parts[0] === "aten" ? (parts[2] === "default" ? parts[1] : `${parts[1]}.${parts[2]}`) : op;
}
