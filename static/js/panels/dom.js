// Elements in one expression. Text only ever enters through textContent, so nothing a stranger wrote becomes markup.

/**
 * @typedef {Node|string|number|null|undefined|false} Child
 * @typedef {{[name: string]: string|number|boolean|null|undefined|((event: any) => void)}} Props
 *   `class`, `on...` listeners, `text`; anything else is an attribute, left out when null, undefined or false
 */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Props} [props] @param {Child[]} children @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) setProp(element, name, value);
  add(element, children);
  return element;
}

/** @param {Element} element @param {string} name @param {Props[string]} value */
function setProp(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
  else if (name === "text") element.textContent = String(value);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/** @param {Element} parent @param {Child[]} children */
function add(parent, children) {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      parent.append(typeof child === "number" ? String(child) : child);
    }
  }
}

/**
 * Replaces what an element holds.
 * @param {Element} parent @param {Child[]} children
 */
export function fill(parent, ...children) {
  parent.textContent = "";
  add(parent, children);
}

/**
 * The same where somebody may have the focus: it stays on what is called as before, else on what stands in its place.
 * @param {Element} parent @param {Child[]} children
 */
export function refill(parent, ...children) {
  const had = parent.contains(document.activeElement) ? document.activeElement : null;
  const at = had ? stops(parent).indexOf(/** @type {HTMLElement} */ (had)) : -1;
  fill(parent, ...children);
  if (!had) return;
  const now = stops(parent);
  (now.find((each) => nameOf(each) === nameOf(had)) ?? now[Math.min(Math.max(at, 0), now.length - 1)])?.focus();
}

/** What the Tab key may stop at. @param {Element} parent @returns {HTMLElement[]} */
export const stops = (parent) =>
  [.../** @type {NodeListOf<HTMLElement>} */ (parent.querySelectorAll("button:enabled, a[href], select, input, summary"))].filter(
    (each) => !each.closest("[hidden]"),
  );

/** @param {Element} element */
const nameOf = (element) => element.getAttribute("aria-label") ?? (element.getAttribute("title") || element.textContent);

/** @param {string} text @param {Props} props @returns {HTMLButtonElement} */
export function button(text, props) {
  return el("button", { type: "button", ...props }, text);
}

/** What stands between backticks, as code. @param {string} text @returns {(Node|string)[]} */
export function coded(text) {
  return text.split("`").map((part, i) => (i % 2 ? el("code", {}, part) : part));
}

/** @param {string} id @returns {HTMLElement} an element the template promises */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/** What has the focus, inside shadow roots too. @returns {Element|null} */
export function focused() {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}
