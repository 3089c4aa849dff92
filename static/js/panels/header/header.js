// The top bar: what was captured, how it stands, and what can be done with the capture as a whole.

import { wordsOf } from "../../base/errors.js";
import { ApiError, cancelCapture, deleteCapture } from "../../api.js";
import { filesOf, isLive, noStageWorked } from "../../model/capture.js";
import { capture, notice, tell } from "../../state.js";
import { button, el, fill } from "../dom.js";
import { icon } from "../icon.js";
import { forgetCapture, tokenOf } from "../stored.js";
import { progressText } from "./progress.js";
import { isStandalone } from "../where.js";
import { themeButton } from "./theme.js";

/**
 * @param {HTMLElement} host
 * @param {{searchBox: HTMLElement, onHelp: () => void, beforeCopy: () => void}} parts `beforeCopy` brings the address up to date
 */
export function mountHeader(host, { searchBox, onHelp, beforeCopy }) {
  const name = el("h1", { class: "top-name" });
  const torch = el("span", { class: "muted top-torch" });
  const status = el("span", { class: "status top-status" });
  const own = el("span", { class: "top-own" });
  const edit = el("a", { class: "button top-edit", title: "Change this code and capture it again", hidden: true }, icon("edit"));
  edit.append(el("span", { class: "wide-only" }, "Edit"));
  const help = button("?", { class: "icon-button", title: "Keys and help (?)", "aria-label": "Keys and help", onclick: onHelp });
  fill(
    host,
    brand(),
    name,
    status,
    torch,
    el("span", { class: "spring" }),
    searchBox,
    location.protocol !== "file:" && copyButton(beforeCopy),
    ...(isStandalone() ? [] : [edit, newLink(), own]),
    themeButton(),
    help,
  );
  const show = () => {
    const now = capture.get();
    if (!now) return;
    const files = filesOf(now);
    name.textContent = files;
    name.title = files;
    document.title = `${files} · graphcap`;
    edit.href = `/?from=${encodeURIComponent(now.id)}`;
    edit.hidden = now.source.kind !== "py";
    torch.textContent = now.torch ? `torch ${now.torch}` : "";
    const shown = noStageWorked(now) ? "failed" : now.status;
    status.className = `status top-status status-${shown}`;
    fill(status, icon(shown), progressText(now, Date.now()));
  };
  const showOwn = () => {
    const now = capture.get();
    if (!now) return;
    const { activeElement } = document;
    // a button that was pressed is disabled, and a disabled one has lost the focus
    const held = own.contains(activeElement) || (activeElement === document.body && own.querySelector(":disabled") !== null);
    fill(own, ownButton(now));
    if (held) own.querySelector("button")?.focus();
  };
  capture.subscribe((now, before) => {
    show();
    if (!before || now?.status !== before.status) showOwn();
  });
  setInterval(() => {
    const now = capture.get();
    if (now && isLive(now)) show();
  }, 500);
}

function brand() {
  return isStandalone() ? el("span", { class: "brand" }, "graphcap") : el("a", { href: "/", class: "brand", title: "To the landing page" }, "graphcap");
}

function newLink() {
  return el("a", { href: "/", class: "button top-new", title: "New capture" }, icon("plus"), el("span", { class: "wide-only" }, "New"));
}

/** @param {() => void} beforeCopy */
function copyButton(beforeCopy) {
  const label = el("span", { class: "wide-only" }, "Copy link");
  const copy = button("", { class: "top-copy", title: "Copy the address of exactly this view", "aria-label": "Copy link" });
  copy.append(icon("link"), label);
  copy.addEventListener("click", async () => {
    beforeCopy();
    try {
      await navigator.clipboard.writeText(location.href);
      label.textContent = "Copied";
      notice.set("The link was copied");
    } catch {
      label.textContent = "Copy the address bar";
      tell("The browser does not let this page copy; copy the address bar instead");
    }
    setTimeout(() => {
      label.textContent = "Copy link";
    }, 2000);
  });
  return copy;
}

/** Cancel while it runs, delete afterwards, for the browser that made the capture. @param {Api.Capture} now */
function ownButton(now) {
  const token = tokenOf(now.id);
  if (!token) return null;
  if (isLive(now)) {
    return button("Cancel", {
      class: "danger",
      onclick: (/** @type {MouseEvent} */ event) => act(event, () => cancelCapture(now.id, token)),
    });
  }
  const remove = button("", { class: "icon-button", title: "Delete this capture", "aria-label": "Delete this capture" });
  remove.append(icon("trash"));
  const ask = el(
    "span",
    { class: "ask" },
    button("Delete for everyone", {
      class: "danger",
      onclick: (/** @type {MouseEvent} */ event) => act(event, () => destroy(now.id, token)),
    }),
    button("Keep", { onclick: () => keep() }),
  );
  const keep = () => {
    ask.replaceWith(remove);
    remove.focus();
  };
  remove.addEventListener("click", () => {
    remove.replaceWith(ask);
    ask.querySelector("button")?.focus();
  });
  return remove;
}

/** @param {string} id @param {string} token */
async function destroy(id, token) {
  await deleteCapture(id, token);
  forgetCapture(id);
  location.assign("/");
}

/** @param {MouseEvent} event @param {() => Promise<void>} work */
async function act(event, work) {
  const pressed = /** @type {HTMLButtonElement} */ (event.currentTarget);
  pressed.disabled = true;
  try {
    await work();
  } catch (error) {
    if (error instanceof ApiError && error.code === "conflict") return; // it finished meanwhile
    pressed.disabled = false;
    if (document.activeElement === document.body) pressed.focus();
    const words = wordsOf(error);
    notice.set(words);
    pressed.after(el("span", { class: "error-text", role: "alert" }, words));
  }
}
