// Mouse and keys of a tree: arrows walk and open, Enter chooses, one item at a time is in the tab order.

/**
 * @param {HTMLElement} tree
 * @param {{toggle: (item: HTMLElement, open: boolean) => void, choose: (item: HTMLElement) => void}} calls
 */
export function treeKeys(tree, { toggle, choose }) {
  const itemOf = (/** @type {Event} */ event) =>
    /** @type {HTMLElement|null} */ (/** @type {HTMLElement} */ (event.target).closest('[role="treeitem"]'));
  const isOpen = (/** @type {HTMLElement} */ item) => item.getAttribute("aria-expanded") === "true";
  const go = (/** @type {HTMLElement|null|undefined} */ item) => {
    if (!item) return;
    for (const each of tree.querySelectorAll('[role="treeitem"][tabindex="0"]')) each.setAttribute("tabindex", "-1");
    item.tabIndex = 0;
    item.focus();
  };
  tree.addEventListener("click", (event) => {
    const item = itemOf(event);
    if (!item || /** @type {HTMLElement} */ (event.target).closest("button")) return;
    go(item);
    if (/** @type {HTMLElement} */ (event.target).closest(".chevron")) toggle(item, !isOpen(item));
    else choose(item);
  });
  tree.addEventListener("dblclick", (event) => {
    const item = itemOf(event);
    if (item && !(/** @type {HTMLElement} */ (event.target).closest(".chevron"))) toggle(item, !isOpen(item));
  });
  tree.addEventListener("keydown", (event) => {
    const item = itemOf(event);
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    step(item, { tree, go, toggle, choose, isOpen });
  });
}

/**
 * @typedef {{tree: HTMLElement, go: (item: HTMLElement|null|undefined) => void, toggle: (item: HTMLElement, open: boolean) => void,
 *   choose: (item: HTMLElement) => void, isOpen: (item: HTMLElement) => boolean}} Context
 */

/** @type {{[key: string]: ((item: HTMLElement, at: Context) => void)|undefined}} */
const steps = {
  ArrowDown: (item, { tree, go }) => go(neighbour(tree, item, 1)),
  ArrowUp: (item, { tree, go }) => go(neighbour(tree, item, -1)),
  Home: (_item, { tree, go }) => go(visible(tree)[0]),
  End: (_item, { tree, go }) => go(visible(tree).at(-1)),
  ArrowRight: (item, { tree, go, toggle, isOpen }) => {
    if (item.hasAttribute("aria-expanded") && !isOpen(item)) toggle(item, true);
    else if (isOpen(item)) go(neighbour(tree, item, 1));
  },
  ArrowLeft: (item, { go, toggle, isOpen }) => {
    if (isOpen(item)) toggle(item, false);
    else go(/** @type {HTMLElement|null|undefined} */ (item.parentElement?.closest('[role="treeitem"]')));
  },
  Enter: (item, { choose }) => choose(item),
  " ": (item, { choose }) => choose(item),
};

/** @param {HTMLElement} tree @returns {HTMLElement[]} */
function visible(tree) {
  return [...tree.querySelectorAll('[role="treeitem"]')]
    .filter((item) => !item.closest("ul[hidden]"))
    .map((item) => /** @type {HTMLElement} */ (item));
}

/** @param {HTMLElement} tree @param {HTMLElement} item @param {number} step */
function neighbour(tree, item, step) {
  const items = visible(tree);
  return items[items.indexOf(item) + step];
}
