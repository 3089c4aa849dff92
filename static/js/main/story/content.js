// A story in a pane: joins the frame, what the server tells, and the address, which keeps what is open and how far it was read.

import { parseShow, targetOf } from "../../model/capture.js";
import { storyAgain, storyKey, wantStory } from "../../panels/story/load.js";
import { StoryPage, notTold, notYet } from "../../panels/story/page.js";
import { capture, panes, selection, setPane } from "../../state.js";
import { pointed, stories } from "../../state/story.js";

/** The address follows a moment after the page has come to rest. */
const REST_MS = 200;
/** How far below the upper edge what is gone to comes to stand. */
const MARGIN = 12;

/** What a pane shows of a story. */
export class StoryContent {
  /** @param {import("../pane.js").Place} place */
  constructor({ index, frame }) {
    this.index = index;
    this.frame = frame;
    /** What is told, or said in its place. @type {unknown} */
    this.shown = null;
    /** @type {StoryPage|null} */
    this.page = null;
    this.camera = /** @type {import("../../model/viewhash.js").Camera|null} */ (null);
    this.timer = 0;
    this.scrolled = () => {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.rest(), REST_MS);
    };
    this.frame.words.addEventListener("scroll", this.scrolled);
    this.width = 0;
    this.resized = new ResizeObserver(() => this.reflow());
    this.resized.observe(frame.words);
    this.leave = [stories.subscribe(() => this.again()), pointed.subscribe(() => this.point())];
    frame.arrange.hide();
    frame.kin.say(null);
    frame.strip.say(null);
    frame.sayBusy("");
    frame.banner.hidden = true;
  }

  /** @param {import("../../state.js").PaneView} pane @param {Api.Capture} now */
  update(pane, now) {
    const { target } = parseShow(pane.show);
    const words = notYet(now, targetOf(now, target));
    if (words) return this.say(words.textContent, words);
    wantStory(target);
    const told = stories.get().get(target);
    if (!told) return this.say("loading", waiting());
    if (told.story instanceof Error) return this.say(told, notTold(told.story.message, () => storyAgain(target)));
    if (this.shown !== told.story && !(this.page && told.key !== storyKey(now, target))) this.tell(told.story, now, pane);
    this.settle(pane);
  }

  /** @param {Api.Story} story @param {Api.Capture} now @param {import("../../state.js").PaneView} pane */
  tell(story, now, pane) {
    const place = this.page ? this.place() : pane.camera;
    this.page?.destroy();
    this.shown = story;
    this.page = new StoryPage(story, now, (gid, open) => this.setOpen(gid, open));
    this.frame.say(this.page.element);
    this.page.update(pane.opened, shownGraphs(), selection.get());
    this.camera = pane.camera;
    this.goTo(place);
    this.point();
  }

  /** @param {import("../../state.js").PaneView} pane */
  settle(pane) {
    this.page?.update(pane.opened, shownGraphs(), selection.get());
    if (JSON.stringify(pane.camera) === JSON.stringify(this.camera)) return;
    this.camera = pane.camera;
    this.goTo(pane.camera);
  }

  /** Words in place of the story. @param {unknown} key @param {HTMLElement} words */
  say(key, words) {
    if (this.shown === key) return;
    this.page?.destroy();
    this.page = null;
    this.shown = key;
    this.frame.say(words);
  }

  /** @param {string} gid @param {boolean} open */
  setOpen(gid, open) {
    const had = panes.get()[this.index]?.opened ?? [];
    setPane(this.index, { opened: open ? [...had.filter((each) => each !== gid), gid] : had.filter((each) => each !== gid) });
  }

  /** How far it is read: the step at the upper edge, and how far into it. @returns {import("../../model/viewhash.js").Camera|null} */
  place() {
    const host = this.frame.words;
    if (!this.page || host.scrollTop === 0) return null;
    const top = host.getBoundingClientRect().top;
    const at = this.page.steps.filter((step) => step.getBoundingClientRect().top <= top + MARGIN).length - 1;
    const from = at < 0 ? this.page.element : this.page.steps[at];
    return { x: at, y: Math.round(top - from.getBoundingClientRect().top), k: 1 };
  }

  /** @param {import("../../model/viewhash.js").Camera|null} place */
  goTo(place) {
    const host = this.frame.words;
    const step = place && this.page ? (this.page.steps[place.x] ?? this.page.element) : null;
    if (!place || !step) host.scrollTop = 0;
    else host.scrollTop += step.getBoundingClientRect().top - host.getBoundingClientRect().top + place.y;
  }

  /** Another width breaks lines elsewhere: what was read last stays where it is. */
  reflow() {
    const { clientWidth } = this.frame.words;
    if (this.width && clientWidth && clientWidth !== this.width) this.goTo(this.camera);
    if (clientWidth) this.width = clientWidth;
  }

  /** The page has come to rest: the address says where. */
  rest() {
    if (!this.page) return;
    this.camera = this.place();
    setPane(this.index, { camera: this.camera });
  }

  /** Goes to the step that was asked for. */
  point() {
    const at = pointed.get();
    const pane = panes.get()[this.index];
    if (!at || !this.page || !pane || parseShow(pane.show).target !== at.target) return;
    const found = this.page.find(at);
    pointed.set(null);
    if (!found) return;
    const host = this.frame.words;
    host.scrollTop += found.getBoundingClientRect().top - host.getBoundingClientRect().top - MARGIN;
    found.setAttribute("tabindex", "-1");
    found.focus({ preventScroll: true });
  }

  fit() {
    this.frame.words.scrollTop = 0;
  }

  again() {
    const now = capture.get();
    const pane = panes.get()[this.index];
    if (now && pane) this.update(pane, now);
  }

  destroy() {
    clearTimeout(this.timer);
    for (const leave of this.leave) leave();
    this.frame.words.removeEventListener("scroll", this.scrolled);
    this.resized.disconnect();
    this.page?.destroy();
    this.frame.words.scrollTop = 0;
    this.frame.say(null);
  }
}

/** The graphs in the panes. */
function shownGraphs() {
  return panes.get().map((pane) => pane.show);
}

function waiting() {
  const words = document.createElement("p");
  words.className = "empty muted";
  words.textContent = "Loading the story…";
  return words;
}
