// The two sentences as running text. A word under the mouse lights its counterparts in the other sentence, and a press on
// a word is a press on the same word of the board. Screen readers read plain.js instead, which is there at every width.

import { h } from "../js/annotate/dom.js";
import { changed } from "../pairs/state.js";
import { spaced } from "../pairs/wording.js";

const SIDES = [0, 1];

// act: hover(node or null), tap(node, event)
export function createSentences(texts, { languages, direction, act }) {
  const words = texts.map((tokens) => tokens.map((token) => h("span", {}, token)));
  const lines = SIDES.map((side) => {
    const parts = words[side].flatMap((word, at) => [
      at && spaced(texts[side][at - 1], texts[side][at]) ? " " : "",
      word,
    ]);
    return h("p", { class: "sent", "aria-hidden": "true", lang: languages[side], dir: direction || "auto" }, parts);
  });
  const element = h("div", { class: "texts" }, lines);
  element.addEventListener(
    "pointerover",
    ({ target, pointerType }) => pointerType !== "touch" && act.hover(nodeOf(target)),
  );
  element.addEventListener("pointerleave", ({ pointerType }) => pointerType !== "touch" && act.hover(null));
  element.addEventListener("mousedown", (event) => nodeOf(event.target) && event.preventDefault()); // no text is selected
  element.addEventListener("click", (event) => {
    const node = nodeOf(event.target);
    if (node) act.tap(node, event);
  });

  const marked = SIDES.map(() => ({ on: new Set(), mates: new Set(), loose: new Set() }));

  function nodeOf(target) {
    for (const side of SIDES) {
      const index = words[side].indexOf(target);
      if (index >= 0) return { side, index };
    }
    return null;
  }

  return {
    element,

    // Sets of indexes on each side: standing out, linked with these words, and without a link.
    mark({ on, mates, loose }) {
      for (const side of SIDES) {
        const before = marked[side];
        const others = new Set([...mates[side]].filter((index) => !on[side].has(index)));
        const toggle = (name, now, then) => {
          for (const index of changed(then, now)) words[side][index].classList.toggle(name, now.has(index));
        };
        toggle("on", on[side], before.on);
        toggle("mate", others, before.mates);
        toggle("loose", loose[side], before.loose);
        marked[side] = { on: new Set(on[side]), mates: others, loose: loose[side] };
      }
    },
  };
}
