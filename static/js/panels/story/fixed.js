// Guards that specialise the code on a value: the mark they carry, and the short list of them.

import { FIXED, plainCheck, plainSource } from "../../model/story/words.js";
import { button, el } from "../dom.js";
import { icon } from "../icon.js";

/** What a guard fixes, as a mark; null where it fixes nothing. @param {Api.Fixes} fixes */
export function fixedMark(fixes) {
  if (!fixes) return null;
  const { mark, why } = FIXED[fixes];
  return el("span", { class: `fixed-mark is-${fixes}`, title: why }, icon("pin"), mark, el("span", { class: "visually-hidden" }, " fixed"));
}

/** @param {number} times that a check failed */
export function failedMark(times) {
  if (!times) return null;
  return el(
    "span",
    { class: "failed-mark", title: "It did not hold for the second inputs" },
    icon("failed"),
    "failed",
    el("span", { class: "visually-hidden" }, " for the second inputs"),
  );
}

/** @param {Api.Special[]} special @param {(source: string) => void} onPick */
export function specialList(special, onPick) {
  return el(
    "ul",
    { class: "plain story-special", "aria-label": "Guards that specialise it" },
    ...special.map((guard) => el("li", {}, specialButton(guard, onPick))),
  );
}

/** @param {Api.Special} guard @param {(source: string) => void} onPick */
function specialButton(guard, onPick) {
  const { source, says, fixes, failed } = guard;
  const item = button("", {
    class: "story-pinned",
    title: `${source} ${says}${failed.length ? `\n${failed.join("\n")}` : ""}\nShow it among the guards`,
    onclick: () => onPick(source),
  });
  item.append(el("code", {}, `${plainSource(source)} ${plainCheck(guard)}`.trim()));
  for (const mark of [fixedMark(fixes), failedMark(failed.length)]) if (mark) item.append(mark);
  return item;
}
