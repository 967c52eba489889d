// The sentence with its marked phrase, and below it the sentence with a candidate in place of the phrase. All versions
// have the same position, and only one is visible, so that there is always space for the longest version and nothing
// moves.

import { compose, h, icon } from "../js/annotate/dom.js";
import { capOf, keysOf } from "../js/annotate/keymap.js";
import { KEYS } from "./keys.js";

export function createSentences({ before, phrase, after, candidates }, { strings, text, jump }) {
  const original = h("p", { class: "sent", ...text }, before, h("mark", {}, phrase), after);
  const start = text.lang?.startsWith("en") ? eitherArticle(before) : before;
  const versions = candidates.map((words, index) =>
    h("p", { class: "sent", id: `in-place-${index + 1}`, ...text }, start, h("ins", {}, words), after),
  );
  const label = h("p", { class: "lab" }, compose(strings.inPlace, { phrase: h("b", text, phrase) }));
  const count = h("span", {});
  const next = h("button", { class: "b b-plain", type: "button", onclick: jump }, count, icon("forward"));
  const heading = h("p", { class: "lab" }, strings.sentence);
  const whole = h("div", { class: "panel whole", role: "group", "aria-label": strings.sentence }, heading, original);
  const room = h("div", { class: "room", role: "group", "aria-label": strings.withCandidate }, versions);
  const tried = h("div", { class: "panel tried" }, h("div", { class: "heads" }, label, next), room);
  const hints = h("p", { class: "lab hints", "aria-hidden": "true" });
  let seen = null;

  // Scrollable parts must be accessible by keyboard, and the inserted candidate must be visible.
  function settle(box, marked) {
    const scrolls = box.scrollHeight > box.clientHeight + 1;
    box.tabIndex = scrolls ? 0 : -1;
    if (!scrolls) return;
    const [outer, inner] = [box, marked].map((element) => element.getBoundingClientRect());
    const inSight = inner.top >= outer.top && inner.bottom <= outer.bottom;
    if (!inSight) box.scrollTop += inner.top - outer.top - box.clientHeight / 3;
  }

  return {
    inFrame(list, long) {
      const context = h("div", { class: "panel context" }, whole, tried, hints);
      return h("div", { class: long ? "para long" : "para" }, context, list);
    },

    renderKeys() {
      hints.replaceChildren(...strings.keys.split(/\s*\|\s*/).map((part) => h("span", {}, caps(part))));
    },

    // The height of the sentence at the top of the screen while the list scrolls under it.
    cover: () => tried.offsetHeight,

    render(shown, { answered, words }) {
      count.textContent = words;
      next.setAttribute("aria-label", `${words}. ${strings.nextOpen}`);
      next.disabled = answered === candidates.length;
      if (shown === seen) return;
      versions[seen]?.classList.remove("here");
      versions[shown].classList.add("here");
      seen = shown;
      settle(whole, original.querySelector("mark"));
      settle(room, versions[shown].querySelector("ins"));
    },
  };
}

// “a” or “an” before the phrase suits only some candidates, and must not count against the others.
/** @param {string} before */
function eitherArticle(before) {
  return before.replace(/(?<![\p{L}\p{N}'’-])(a)n?(\s+)$/iu, "$1(n)$2");
}

// "{↑} {yes} answer" with key caps in place of the names in braces: a key, or an action that has its own key.
function caps(text) {
  const keys = keysOf(KEYS);
  return text.split(/\{(.+?)\}/).map((part, place) => (place % 2 ? h("kbd", {}, capOf(keys[part] ?? part)) : part));
}
