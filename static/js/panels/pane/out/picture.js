// The dialog that saves a drawing as a picture, or copies it.

import { wordsOf } from "../../../base/errors.js";
import { tell } from "../../../state.js";
import { button, el, fill } from "../../dom.js";
import { count } from "../../format.js";
import { save } from "./save.js";

/**
 * @typedef {{area: "whole"|"sight", theme: ""|"light"|"dark", marks: boolean}} Picture
 *
 * @typedef {object} Pictures what a drawing can be saved as
 * @property {(area: Picture["area"]) => {width: number, height: number}} size CSS pixels at scale 1
 * @property {(picture: Picture) => string} svg
 * @property {(picture: Picture, scale: number, options: {signal: AbortSignal, onProgress: (part: number) => void}) => Promise<Blob>} png
 * @property {(page: {width: number, height: number}, k: number) => {svg: string, row: number, column: number}[]} pages
 */

/** A picture of more takes minutes, and few programs open it. */
const MOST_PIXELS = 1e9;
/** A larger one is not what most people want at first. */
const LARGE_PIXELS = 6e7;
const SCALES = [0.5, 1, 2, 4];

/** @param {Pictures} pictures @param {string} gid @param {string} file name of the file without its ending */
export function pictureDialog(pictures, gid, file) {
  new PictureDialog(pictures, gid, file).element.showModal();
}

class PictureDialog {
  /** @param {Pictures} pictures @param {string} gid @param {string} file */
  constructor(pictures, gid, file) {
    this.pictures = pictures;
    this.file = file;
    /** Of the picture that is being made. @type {AbortController|null} */
    this.work = null;
    /** Pixels a CSS pixel; NaN: what was typed is no number. */
    this.scale = 1;
    this.width = el("input", { type: "text", inputmode: "numeric", class: "picture-width", id: "picture-width", "aria-describedby": "picture-size" });
    this.size = el("output", { id: "picture-size", class: "muted", for: "picture-width" });
    this.scales = el(
      "span",
      { class: "picture-scales", role: "group", "aria-label": "Scale" },
      ...SCALES.map((scale) => button(`${scale}×`, { class: "small", title: `${scale} pixels for each of the drawing's`, onclick: () => this.setScale(scale) })),
    );
    this.progress = el("progress", { max: 1, hidden: true, "aria-label": "Drawn so far" });
    this.said = el("span", { class: "picture-said", role: "status" });
    this.saveButton = el("button", { type: "submit", class: "primary" }, "Save");
    this.copyButton = button("Copy image", { title: "Put the picture on the clipboard", onclick: () => this.copy() });
    this.form = el(
      "form",
      { class: "picture-form", novalidate: true },
      choice("Format", "format", [["png", "PNG"], ["svg", "SVG"]]),
      choice("Area", "area", [["whole", "The whole drawing"], ["sight", "What is in sight"]]),
      el("div", { class: "picture-row picture-png" }, el("label", { for: "picture-width" }, "Width"), this.width, el("span", {}, "px"), this.scales, this.size),
      choice("Colours", "theme", [["", "As shown"], ["light", "Light"], ["dark", "Dark"]]),
      el("label", { class: "picture-marks" }, el("input", { type: "checkbox", name: "marks", checked: true }), "Selection, highlights and traces as shown"),
      el("div", { class: "picture-row picture-end" }, this.saveButton, this.copyButton, this.progress, this.said),
    );
    this.element = el(
      "dialog",
      { class: "help picture", "aria-labelledby": "picture-title" },
      el("header", {}, el("h2", { id: "picture-title" }, `Picture of ${gid}`), button("Close", { onclick: () => this.element.close() })),
      this.form,
    );
    this.listen();
    document.body.append(this.element);
    const { width, height } = pictures.size("whole");
    this.setScale(width * height * 4 > LARGE_PIXELS ? 1 : 2);
  }

  listen() {
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.work) this.work.abort();
      else this.save();
    });
    this.form.addEventListener("change", (event) => {
      if (event.target !== this.width) this.setScale(this.scale);
    });
    this.width.addEventListener("input", () => {
      const typed = Number(this.width.value.replace(/[\s,.']/g, ""));
      this.scale = typed > 0 ? typed / this.pictures.size(this.picture().area).width : NaN;
      this.update();
    });
    this.element.addEventListener("click", (event) => {
      if (event.target === this.element) this.element.close();
    });
    this.element.addEventListener("close", () => {
      this.work?.abort();
      this.element.remove();
    });
  }

  /** @returns {Picture} */
  picture() {
    const data = new FormData(this.form);
    return /** @type {Picture} */ ({ area: data.get("area"), theme: data.get("theme"), marks: data.has("marks") });
  }

  isSvg() {
    return new FormData(this.form).get("format") === "svg";
  }

  /** @param {number} scale pixels a CSS pixel */
  setScale(scale) {
    this.scale = scale;
    if (scale > 0) this.width.value = String(Math.round(this.pictures.size(this.picture().area).width * scale));
    this.update();
  }

  /** Says what would be made, and whether it can be. */
  update() {
    const { width, height } = this.pictures.size(this.picture().area);
    const { scale } = this;
    const [wide, high] = [Math.round(width * scale), Math.round(height * scale)];
    const fits = wide >= 1 && wide * high <= MOST_PIXELS;
    const svg = this.isSvg();
    this.form.classList.toggle("is-svg", svg);
    if (!(wide >= 1)) this.size.textContent = "a number, please";
    else this.size.textContent = `× ${count(high)} px, ${millions(wide * high)} megapixels${fits ? "" : `; at most ${millions(MOST_PIXELS)}`}`;
    this.size.classList.toggle("error-text", !fits);
    this.saveButton.disabled = this.copyButton.disabled = !svg && !fits;
    this.copyButton.hidden = svg;
    for (const [i, each] of [...this.scales.children].entries()) each.setAttribute("aria-pressed", String(Math.abs(SCALES[i] - scale) < 1e-3));
  }

  async save() {
    if (this.isSvg()) return this.saveSvg();
    const made = await this.make();
    if (made) this.done(made);
  }

  saveSvg() {
    try {
      this.done(new Blob([this.pictures.svg(this.picture())], { type: "image/svg+xml" }));
    } catch (error) {
      this.said.textContent = wordsOf(error);
    }
  }

  /** @param {Blob} made */
  done(made) {
    save(made, `${this.file}.${made.type === "image/png" ? "png" : "svg"}`);
    this.element.close();
  }

  async copy() {
    const working = this.make();
    try {
      // A promise, because some browsers only let a page copy while a click lasts.
      const content = working.then((made) => made ?? Promise.reject(new Error("it was not made")));
      content.catch(() => {});
      await navigator.clipboard.write([new ClipboardItem({ "image/png": content })]);
      tell("The picture is on the clipboard");
      this.element.close();
    } catch (error) {
      if (await working) this.said.textContent = `The browser did not let this page copy it: ${wordsOf(error)}. Save it instead.`;
    }
  }

  /** @returns {Promise<Blob|null>} null: stopped or failed, which is said */
  async make() {
    this.work = new AbortController();
    const { signal } = this.work;
    this.busy(true);
    try {
      return await this.pictures.png(this.picture(), this.scale, { signal, onProgress: (part) => (this.progress.value = part) });
    } catch (error) {
      this.said.textContent = signal.aborted ? "Stopped." : wordsOf(error);
      return null;
    } finally {
      this.work = null;
      this.busy(false);
    }
  }

  /** @param {boolean} is */
  busy(is) {
    this.progress.hidden = !is;
    this.progress.value = 0;
    if (is) fill(this.said);
    this.saveButton.textContent = is ? "Stop" : "Save";
    this.copyButton.disabled = is;
  }
}

/** @param {string} title @param {string} name @param {[string, string][]} values the first is chosen */
function choice(title, name, values) {
  return el(
    "fieldset",
    { class: "picture-row" },
    el("legend", {}, title),
    ...values.map(([value, text], i) => el("label", {}, el("input", { type: "radio", name, value, checked: i === 0 }), text)),
  );
}

/** @param {number} pixels */
function millions(pixels) {
  return pixels < 1e6 ? (pixels / 1e6).toPrecision(2) : count(Math.round(pixels / 1e6));
}
