// Says before anybody writes a model that this server would not run it.

import { getServer } from "../../api.js";
import { el, fill } from "../dom.js";

/** @param {HTMLElement} host shown where there is something to say */
export async function showServer(host) {
  try {
    const { accepts, reason } = await getServer();
    host.hidden = accepts;
    fill(
      host,
      !accepts && el("strong", {}, "Nothing runs here. "),
      !accepts && `${reason} What was captured before can still be opened.`,
    );
  } catch (error) {
    console.warn("The server did not say whether it takes submissions.", error); // submitting will tell
  }
}
