// Captures made in this browser: the list and its tokens stay here, the server only tells their states.

import { wordsOf } from "../../base/errors.js";
import { ApiError, deleteCapture, getRecent } from "../../api.js";
import { button, el, fill } from "../dom.js";
import { ago } from "../format.js";
import { icon } from "../icon.js";
import { forgetCapture, rememberedCaptures } from "../stored.js";

/** @typedef {import("../stored.js").Remembered} Remembered */

/** @param {HTMLElement} host */
export async function showRecent(host) {
  const list = rememberedCaptures();
  render(host, list, new Map());
  if (!list.length) return;
  try {
    const { captures } = await getRecent(list.map(({ id }) => id));
    render(host, rememberedCaptures(), new Map(captures.map(({ id, status }) => [id, status])));
  } catch {
    // The list is of use without the states.
  }
}

/** @param {HTMLElement} host @param {Remembered[]} list @param {Map<string, string>} statuses */
function render(host, list, statuses) {
  if (!list.length) {
    fill(host, el("p", { class: "muted" }, "What you capture is listed here, in this browser only."));
    return;
  }
  fill(
    host,
    el(
      "ul",
      { class: "plain recent" },
      ...list.map((each) => row(host, each, statuses.size ? (statuses.get(each.id) ?? "gone") : "")),
    ),
  );
}

/** @param {HTMLElement} host @param {Remembered} made @param {string} status "" while unknown */
function row(host, made, status) {
  const link = el(
    "a",
    { href: `/c/${encodeURIComponent(made.id)}`, class: "recent-link" },
    el("span", { class: "recent-title" }, made.title),
    el("span", { class: "muted" }, ago(made.created, Date.now())),
  );
  const state = el("span", { class: `status status-${status}` }, status === "" ? "" : status);
  const item = el("li", { class: "recent-row" }, link, state);
  item.append(removeButton(host, made, item));
  return item;
}

/** Asks once, in place, before anything is deleted. @param {HTMLElement} host @param {Remembered} made @param {HTMLElement} item */
function removeButton(host, made, item) {
  const remove = button("", { class: "icon-button", title: "Delete this capture", "aria-label": `Delete ${made.title}` });
  remove.append(icon("trash"));
  remove.addEventListener("click", () => {
    const yes = button("Delete", { class: "danger small", onclick: () => destroy(host, made, item) });
    const no = button("Keep", { class: "small", onclick: () => keep() });
    const ask = el("span", { class: "ask" }, yes, no);
    const keep = () => {
      ask.replaceWith(remove);
      remove.focus();
    };
    remove.replaceWith(ask);
    yes.focus();
  });
  return remove;
}

/** @param {HTMLElement} host @param {Remembered} made @param {HTMLElement} item */
async function destroy(host, made, item) {
  try {
    await deleteCapture(made.id, made.token);
  } catch (error) {
    const gone = error instanceof ApiError && (error.status === 404 || error.status === 410);
    if (!gone) {
      item.append(el("p", { class: "error-text", role: "alert" }, wordsOf(error)));
      return;
    }
  }
  forgetCapture(made.id);
  const place = [...(item.parentElement?.children ?? [])].indexOf(item);
  await showRecent(host);
  const left = /** @type {NodeListOf<HTMLElement>} */ (host.querySelectorAll(".recent-row .icon-button"));
  (left[Math.min(place, left.length - 1)] ?? host).focus();
}
