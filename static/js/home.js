// Entry of the landing page.

import { ApiError, getCapture, getExamples, getSource } from "./api.js";
import { byId, el, fill } from "./panels/dom.js";
import { themeButton } from "./panels/header/theme.js";
import { readDraft } from "./panels/landing/draft.js";
import { showExamples } from "./panels/landing/examples.js";
import { CaptureForm } from "./panels/landing/form.js";
import { fieldAtFault } from "./panels/landing/inputs.js";
import { showRecent } from "./panels/landing/recent.js";
import { showServer } from "./panels/landing/server.js";

const form = new CaptureForm(/** @type {HTMLFormElement} */ (byId("form")), readDraft());
byId("theme").append(themeButton());
showRecent(byId("recent"));
showServer(byId("server"));
fillGallery();
form.watch.now();
loadEditor().then(takeUp);
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return; // came back by Back: the form is as it was, only busy
  form.busy(false);
  showRecent(byId("recent"));
});

/** Without it the plain textarea stays, and everything else works. */
async function loadEditor() {
  try {
    const { codeEditor } = await import("./panels/code/editor.js");
    form.enhance(codeEditor);
  } catch (error) {
    console.warn("The editor did not load; a plain text field takes its place.", error);
  }
}

async function fillGallery() {
  const host = byId("examples");
  try {
    const { examples } = await getExamples();
    showExamples(host, examples, (example) => {
      const name = `${example.id.replace(/^\d+_/, "")}.py`;
      form.replace({ code: example.code, name, inputs: example.inputs, second: "", construct: "" }, example.text);
      byId("live").textContent = `${example.title} is in the editor`;
    });
  } catch (error) {
    fill(host, el("p", { class: "error-text" }, `The examples did not load. ${error instanceof ApiError ? error.hint : ""}`));
  }
}

/** `/?from=ID&line=12`: takes up the code of an earlier capture, at a line of it. */
async function takeUp() {
  const asked = new URLSearchParams(location.search);
  const id = asked.get("from");
  if (!id) return;
  try {
    const [{ files }, capture] = await Promise.all([getSource(id), getCapture(id)]);
    const { inputs = "", second_inputs: second = "", construct = "", ...options } = capture.options;
    const file = files.find(({ text }) => text !== null);
    const kept = { inputs, second, construct, options };
    if (!file || file.text === null) {
      form.replace(kept, `The inputs and options of ${files[0].name} are filled in. Choose the file again to send it with others.`);
      return;
    }
    form.replace({ code: file.text, name: file.name, ...kept }, `${file.name} is in the editor.`);
    const texts = files.filter(({ text }) => text !== null);
    if (files.length > 1 && !files[0].name.endsWith(".ipynb")) {
      form.takeFiles(texts, files.length - texts.length);
    }
    for (const { type, message } of capture.failures) {
      if (type === "bad-construct") form.model.fail(message);
      const field = fieldAtFault({ code: type, detail: message });
      if (field) form.inputs.fail(field, message);
    }
    history.replaceState(null, "", "/");
    const line = Number(asked.get("line"));
    if (line > 0) form.code.goTo(line);
  } catch (error) {
    form.fail(error);
  }
}
