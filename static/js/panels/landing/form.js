// The form of the landing page: editor, files, inputs, options, Capture. Nothing a person typed is lost when a submit fails.

import { ApiError, submit } from "../../api.js";
import { plainField } from "../code/plain.js";
import { button, coded, el, fill } from "../dom.js";
import { rememberCapture } from "../stored.js";
import { saveDraft } from "./draft.js";
import { filePicker } from "./files.js";
import { pathOf, withPath } from "./folders.js";
import { InputsFields, fieldAtFault } from "./inputs.js";
import { ModelPanel } from "./model/panel.js";
import { watchForm } from "./model/watch.js";
import { optionsPanel } from "./options.js";

/**
 * @typedef {import("./draft.js").Draft} Draft
 * @typedef {import("../code/plain.js").CodeField} CodeField
 */

/** The landing form. */
export class CaptureForm {
  /** @param {HTMLFormElement} form @param {Draft} draft */
  constructor(form, draft) {
    this.form = form;
    this.name = draft.name;
    /** @type {File[]} */
    this.files = [];
    this.area = el("textarea", { class: "plain-code", spellcheck: "false", "aria-label": "Python code", id: "code" });
    this.area.value = draft.code;
    /** @type {CodeField} */
    this.code = plainField(this.area);
    this.host = el("div", { class: "code-host" }, this.area);
    this.inputs = new InputsFields();
    this.inputs.write(draft);
    this.model = new ModelPanel(() => this.changed());
    this.model.write(draft.construct);
    this.watch = watchForm(
      () => this.current(),
      (look, why) => this.show(look, why),
    );
    this.options = optionsPanel();
    this.options.write(draft.options);
    this.picker = filePicker({
      dropOn: document.body,
      onCode: (code, name) => this.replace({ code, name }, `${name} is in the editor.`),
      onFiles: (files) => this.setFiles(files),
      editorFile: () => this.editorFile(),
    });
    this.title = el("span", { class: "file-name" }, this.name);
    this.button = el("button", { type: "submit", class: "primary", id: "capture" }, "Capture", el("kbd", {}, "Ctrl ⏎"));
    this.note = el("p", { class: "form-note", hidden: true });
    this.status = el("div", { class: "submit-status", role: "alert" });
    this.pressed = false; // the button had the focus when it was disabled
    this.measure = () => {};
    this.build();
  }

  build() {
    const clear = button("Clear", {
      class: "link",
      onclick: () => {
        this.replace({ code: "", name: "model.py", inputs: "", second: "", construct: "" }, "Cleared.");
        this.code.focus();
      },
    });
    const foot = el("div", { class: "form-foot" }, this.button, this.status);
    fill(
      this.form,
      el("div", { class: "form-head" }, this.title, clear, this.picker.element),
      this.picker.chosen,
      this.note,
      this.host,
      this.model.element,
      this.inputs.element,
      this.options.element,
      foot,
    );
    this.measure = keepInSight(foot);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    this.form.addEventListener("input", () => this.changed());
    this.form.addEventListener("change", () => this.changed());
    this.form.addEventListener("keydown", (event) => {
      const typed = event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.defaultPrevented;
      if (typed) {
        event.preventDefault();
        this.send();
      }
    });
  }

  /** Puts the real editor in the textarea's place. @param {typeof import("../code/editor.js").codeEditor} codeEditor */
  enhance(codeEditor) {
    const host = el("div", { class: "code-editor" });
    this.code = codeEditor(host, this.area.value, {
      label: "Python code",
      onChange: () => this.changed(),
      onSubmit: () => this.send(),
    });
    const { activeElement } = document;
    const { selectionStart, selectionEnd } = this.area;
    this.area.replaceWith(host);
    if (activeElement === this.area) this.code.select(selectionStart, selectionEnd); // who has begun to type types on
  }

  /**
   * Puts something else into the form, and offers what stood there before back.
   * @param {Partial<Draft>} draft @param {string} said about it
   */
  replace(draft, said) {
    const before = this.draft();
    this.fill(draft);
    const lost = before.code.trim() !== "" && before.code !== this.code.text();
    const back = () => {
      this.fill(before);
      this.code.focus(); // the button is gone
    };
    const undo = lost && button("Undo", { class: "link", onclick: back });
    fill(this.note, said, lost && " ", undo);
    this.note.hidden = false;
  }

  /** @returns {Draft} */
  draft() {
    const construct = this.model.read();
    return { code: this.code.text(), name: this.name, ...this.inputs.read(), construct, options: this.options.read() };
  }

  /** @param {Partial<Draft>} draft */
  fill(draft) {
    this.note.hidden = true;
    if (draft.code !== undefined) {
      this.code.setText(draft.code);
      this.picker.clear();
    }
    if (draft.name !== undefined) {
      this.name = draft.name;
      this.title.textContent = draft.name;
    }
    this.inputs.write(draft);
    if (draft.construct !== undefined) this.model.write(draft.construct);
    if (draft.options !== undefined) this.options.write(draft.options);
    fill(this.status);
    this.keep();
    this.watch.now();
  }

  /** @param {File[]} files sent as they are, instead of the editor's code */
  setFiles(files) {
    this.files = files;
    this.host.classList.toggle("aside", files.length > 0);
    const what = files.length === 1 ? `${files[0].name} is` : `These ${files.length} files are`;
    fill(this.note, files.length > 0 && `${what} sent in place of the code in the editor.`);
    this.note.hidden = files.length === 0;
    fill(this.status);
    this.watch.now();
  }

  /**
   * Takes up the files of an earlier capture.
   * @param {{name: string, text: string|null}[]} texts @param {number} others files that are no text, and can not be had again
   */
  takeFiles(texts, others) {
    this.picker.add(texts.map(({ name, text }) => withPath(new File([text ?? ""], name.split("/").at(-1) ?? name), name)));
    if (others) this.note.append(` ${others === 1 ? "A file that is no text is" : `${others} files that are no text are`} not among them: add what you need.`);
  }

  /** The code in the editor as a file to send with others, or null where there is none. @returns {File|null} */
  editorFile() {
    const code = this.code.text();
    return code.trim() === "" ? null : new File([code], this.name, { type: "text/x-python" });
  }

  keep() {
    saveDraft(this.draft());
  }

  /** Something was typed or chosen. */
  changed() {
    this.keep();
    this.watch.soon();
  }

  /** What a submit would send, but for guesses. @returns {{what: import("../../api.js").Sent, options: object}} */
  current() {
    const { inputs, second } = this.inputs.read();
    const texts = { inputs, second_inputs: second, construct: this.model.read(), entry: this.picker.entry() };
    const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ""));
    const sent = { files: this.files, paths: this.files.map(pathOf) };
    const what = this.files.length ? sent : { code: this.code.text(), name: this.name };
    return { what, options: { ...this.options.read(), ...given } };
  }

  /** @param {Api.Look|null} look @param {ApiError} [why] there is none */
  show(look, why) {
    // What is refused for what it is would be refused when it is sent: it is said at once. What the server had no time for is not.
    const refused = why && why.status >= 400 && why.status < 500 && why.status !== 429;
    this.model.show(look, refused ? `${why.title}. ${why.detail}` : "");
    this.inputs.clear();
    this.inputs.show(look);
  }

  /** Sends what is in the form and goes to the capture's page. */
  async send() {
    if (this.button.disabled) return;
    this.keep();
    if (!this.model.complete()) return;
    const { what, options: chosen } = this.current();
    const options = { ...chosen, ...this.inputs.options() };
    const entry = this.picker.entry();
    this.busy(true);
    try {
      const made = await submit(what, options, (fraction) => this.progress(fraction));
      const title = this.files.length ? titleOf(this.files, entry) : this.name;
      rememberCapture({ id: made.id, title, token: made.delete_token, created: new Date().toISOString() });
      location.assign(made.url);
    } catch (error) {
      this.busy(false);
      this.fail(error);
    }
  }

  /** @param {boolean} on */
  busy(on) {
    if (on) this.pressed = document.activeElement === this.button;
    this.button.disabled = on;
    if (!on && this.pressed && document.activeElement === document.body) this.button.focus(); // it lost it when it was disabled
    fill(this.status, on && el("span", { class: "muted" }, "Sending…"));
  }

  /** @param {number} fraction */
  progress(fraction) {
    if (!this.files.length) return;
    const bar = el("progress", { max: 1, value: fraction, "aria-label": "Upload" });
    fill(
      this.status,
      bar,
      el("span", { class: "muted" }, fraction < 1 ? ` ${Math.round(fraction * 100)} % uploaded` : " Checking the upload…"),
    );
  }

  /** @param {unknown} error */
  fail(error) {
    const problem = error instanceof ApiError ? error : new ApiError({ title: String(error) });
    const field = fieldAtFault(problem);
    // What is wrong with a field is said below it: the foot stays low, or it would lie over the field.
    const more = !field && [
      problem.detail && el("p", {}, ...coded(problem.detail)),
      problem.hint && el("p", { class: "muted" }, ...coded(problem.hint)),
    ];
    fill(this.status, el("div", { class: "notice bad" }, el("strong", {}, problem.title), ...(more || [])));
    this.measure();
    if (problem.code === "which-entry") this.picker.askEntry();
    if (problem.code === "bad-options" && problem.detail.startsWith("`construct`")) this.model.fail(problem.detail);
    if (field) this.inputs.fail(field, problem.detail, { hint: problem.hint });
  }
}

/** What gets the focus never lies under the foot, however high that grows. @param {HTMLElement} foot @returns {() => void} look again, now */
function keepInSight(foot) {
  const measure = () => {
    document.documentElement.style.scrollPaddingBottom = `${foot.offsetHeight + 16}px`;
  };
  new ResizeObserver(measure).observe(foot);
  return measure;
}

/** How a submission of files is called in the list of recent ones. @param {File[]} files @param {string} entry */
function titleOf(files, entry) {
  const first = entry || pathOf(files[0]);
  return files.length > 1 ? `${first} and ${files.length - 1} more` : first;
}
