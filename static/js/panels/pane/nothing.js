// The whole page when nothing could be captured: why, the line, the lines to add, and a way back with the code.

import { OP } from "../../model/graph.js";
import { el, fill } from "../dom.js";
import { sentence } from "../format.js";
import { icon } from "../icon.js";
import { editLink, failureBox } from "./explain.js";

/** @param {Api.Capture} now @returns {HTMLElement} */
export function nothingCaptured(now) {
  const cancelled = now.status === "cancelled";
  const hints = [...new Set(now.failures.flatMap((failure) => failure.hints))];
  return el(
    "div",
    { class: `explain explain-${now.status}` },
    el(
      "h2",
      {},
      icon(cancelled ? "cancelled" : "failed"),
      cancelled ? "This capture was cancelled" : "Nothing could be captured",
    ),
    ...now.failures.map(failureBox),
    hints.length > 0 && el("section", { class: "hints" }, el("h3", {}, "What to do"), ...hints.map(hintBlock)),
    now.log_bytes > 0 && el("p", { class: "muted" }, "What the code printed is below, under Output."),
    el("p", {}, editLink(now, now.failures)),
  );
}

/** A hint of several lines is code to copy. @param {string} hint */
function hintBlock(hint) {
  return hint.includes("\n") ? el("pre", { class: "message" }, hint) : el("p", {}, hint);
}

/**
 * What is to be said of a graph in which nothing is computed, or ""; the few boxes of it are drawn all the same.
 * @param {import("../../model/graph.js").GraphModel} model @returns {string}
 */
export function withoutCalls({ op, count, returns }) {
  if (op.some((each) => each > OP.GET_ATTR && each < OP.OUTPUT)) return "";
  if (count === 0) return "This graph has no nodes.";
  if (returns.length === 0) return "Nothing is computed in this graph, and nothing is returned.";
  return "Nothing is computed in this graph: it returns what it is given, as it is.";
}

/** Before there is any graph. @param {Api.Capture} now @param {() => string} said how it stands, as in the head @returns {HTMLElement} */
export function waiting(now, said) {
  const queued = now.status === "queued";
  const words = el("p", { class: "waiting-said" }, sentence(said()));
  // A clock that stands still looks like a capture that does.
  const clock = setInterval(() => {
    if (words.isConnected) words.textContent = sentence(said());
    else clearInterval(clock);
  }, 500);
  return el(
    "div",
    { class: "explain explain-running" },
    el("h2", {}, icon(queued ? "queued" : "running"), queued ? "Waiting for a free slot" : "Capturing"),
    words,
    el(
      "p",
      { class: "muted" },
      queued
        ? "This page follows by itself; the address can be shared already."
        : "The first graph opens here as soon as its stage is done. A fresh torch takes some seconds to start.",
    ),
  );
}

/** A page for a capture that cannot be had at all. @param {HTMLElement} host @param {import("../../api.js").ApiError} error */
export function noCapture(host, error) {
  fill(
    host,
    el(
      "div",
      { class: "explain explain-failed" },
      el("h2", {}, icon("failed"), error.title),
      error.detail && el("p", {}, error.detail),
      error.hint && el("p", {}, error.hint),
      el("p", {}, el("a", { class: "button primary-link", href: "/" }, "To the landing page")),
    ),
  );
}
