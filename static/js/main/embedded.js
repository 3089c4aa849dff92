// What is different where the page stands in a frame of another page.

import { writeAddress } from "./address.js";

/** Call before anything is mounted. */
export function mountEmbedded() {
  const whole = document.getElementById("whole");
  if (!(whole instanceof HTMLAnchorElement)) return;
  const update = () => {
    writeAddress();
    whole.hash = location.hash;
  };
  for (const when of ["pointerdown", "focus", "click"]) whole.addEventListener(when, update);
  // The page around is scrolled over the graph until somebody clicks into it.
  addEventListener("wheel", (event) => {
    if (!document.hasFocus()) event.stopPropagation();
  }, { capture: true, passive: true });
}
