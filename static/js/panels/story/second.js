// The end of a story: what a second call with other inputs made torch compile; or, where there was none, a field to make one.

import { ApiError, getSource, submit } from "../../api.js";
import { stageKey } from "../../model/capture.js";
import { coded, el, fill } from "../dom.js";
import { counted, sentence } from "../format.js";
import { rememberCapture } from "../stored.js";
import { isStandalone } from "../where.js";

/**
 * @param {Api.Story} story @param {Api.Capture} now @param {HTMLElement[]} steps of what only the second inputs reach
 * @returns {HTMLElement|null} null: there is nothing to call again
 */
export function secondPart(story, now, steps) {
  const fragments = story.steps.filter((step) => step.step === "fragment");
  const anew = fragments.flatMap((step) => step.recompiles.map(() => step.fragment + 1));
  const said = story.notes.filter((note) => SECOND.test(note));
  if (anew.length || steps.length || said.length) return wasCalled(anew, said, steps);
  return fragments.length && !isStandalone() ? tryOthers(story, now) : null;
}

/** Notes about the second call: told here, not above. */
export const SECOND = /^called (with the second inputs|again by the script)/;

/** @param {number[]} anew fragments compiled anew @param {string[]} said @param {HTMLElement[]} steps */
function wasCalled(anew, said, steps) {
  const numbers = [...new Set(anew)].join(", ");
  return el(
    "section",
    { class: "story-second" },
    el("h3", {}, said.some((note) => note.startsWith("called again by")) ? "Called again by the script" : "Called again with the second inputs"),
    anew.length > 0 &&
      el("p", {}, `Compiled anew: fragment${anew.length > 1 ? "s" : ""} ${numbers}. The guard that failed stands with each, as a branch.`),
    ...said.map((note) => el("p", {}, sentence(note))),
    steps.length > 0 && el("p", {}, `${counted(steps.length, "piece")} of code that the first call did not reach:`),
    steps.length > 0 && el("ol", { class: "plain story-steps" }, ...steps),
  );
}

/** @param {Api.Story} story @param {Api.Capture} now */
function tryOthers(story, now) {
  const single = now.source.kind === "py" && now.source.files.length === 1;
  return el(
    "section",
    { class: "story-second" },
    el("h3", {}, "What would other inputs change?"),
    el(
      "p",
      { class: "muted" },
      "Give a second set of inputs: the compiled function is called once more, and every fragment whose guards fail is shown as a branch, ",
      "with the guard.",
    ),
    single
      ? againForm(story, now)
      : el("p", { class: "muted" }, "Upload it again with second inputs, in the form of the landing page; or set example_args_2 in the code."),
  );
}

/** @param {Api.Story} story @param {Api.Capture} now */
function againForm(story, now) {
  const field = el("textarea", {
    rows: "1",
    id: "story-second",
    class: "lines",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
    placeholder: "x: f32[5, 16], flag: False",
    "aria-describedby": "story-second-said",
  });
  const send = el("button", { type: "submit" }, "Capture again");
  const said = el("p", { class: "field-error error-text", id: "story-second-said", role: "alert" });
  const form = el(
    "form",
    { class: "story-again" },
    el("label", { for: field.id }, "Second inputs"),
    field,
    send,
    said,
  );
  /** @param {string} words "": nothing is wrong @param {string} [hint] */
  const fail = (words, hint = "") => {
    fill(said, ...coded(words), hint && el("span", { class: "field-hint" }, ...coded(hint)));
    if (words) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
    if (!words) return;
    field.focus();
    said.scrollIntoView({ block: "nearest" });
  };
  field.addEventListener("input", () => fail(""));
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return; // alone it begins a line, as on the landing page
    event.preventDefault();
    if (!send.disabled) form.requestSubmit();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!field.value.trim()) return fail("Write what to call it with, such as x: f32[5, 16].");
    send.disabled = true;
    try {
      location.assign(await captureAgain(now, field.value.trim(), story.target));
    } catch (error) {
      send.disabled = false;
      if (error instanceof ApiError) fail([error.title, error.detail].filter(Boolean).map(sentence).join(" "), error.hint);
      else fail(String(error));
    }
  });
  return form;
}

/** @param {Api.Capture} now @param {string} inputs @param {string} target @returns {Promise<string>} address of the new capture's story */
async function captureAgain(now, inputs, target) {
  const { files } = await getSource(now.id);
  const { name, text } = files[0];
  const made = await submit({ code: text ?? "", name }, { ...now.options, second_inputs: inputs }, () => {});
  rememberCapture({ id: made.id, title: name, token: made.delete_token, created: new Date().toISOString() });
  return `${made.url}#v1?p=${stageKey(target, "story")}`;
}

