// The annotator's links and the expected links side by side. Differences are marked on both sides.

import { h } from "../js/annotate/dom.js";
import { withBlocks } from "./blocks.js";
import { createBoard } from "./board.js";
import { drawn, linksOf } from "./kinds.js";
import { createState } from "./state.js";
import { differences } from "./wording.js";

/**
 * Returns a sentence that describes the difference, or "". `compared` returns the given and the expected links without
 * the links of identical words, which grading ignores and which are drawn without a mark.
 * @param {Element} place
 * @param {Record<string, any>} page
 */
export function showFeedback(
  place,
  { texts, labels, languages, direction, strings, wording, expected, given, ...more },
) {
  const [right, own] = [linksOf(expected), linksOf(given)];
  const [ownCompared, rightCompared] = more.compared ? more.compared(own, right) : [own, right];
  place.replaceChildren(
    h(
      "div",
      { class: "align compare" },
      drawing(strings.yours, own, marked(own, ownCompared, right, "extra")),
      drawing(strings.expected, right, marked(right, rightCompared, own, "missed")),
    ),
  );
  const { added = 0, removed = 0, changed = 0 } = differences(rightCompared, ownCompared);
  return [
    removed && wording.count("extra", removed),
    added && wording.count("missed", added),
    changed && wording.count("otherKind", changed),
    differ(own, right) && !differ(ownCompared, rightCompared) && strings.identicalDiffer,
  ]
    .filter(Boolean)
    .join(" ");

  function differ(one, other) {
    return Object.keys(differences(one, other)).length > 0;
  }

  // Links that exist only on this side have `sign`, and links of different kinds are marked as changed.
  function marked(links, compared, others, sign) {
    return drawn(links).map((link) => {
      if (!compared[link.pair]) return { ...link, mark: "" };
      const other = others[link.pair];
      return { ...link, mark: !other ? sign : other.kind === link.look ? "" : "changed" };
    });
  }

  function drawing(title, links, shown) {
    const board = createBoard(createState(links, {}), { texts, labels, languages, direction });
    board.draw(withBlocks(shown));
    const differing = shown
      .filter(({ mark }) => mark)
      .map(({ pair }) => h("li", {}, wording.pair(pair, { links, suggested: {} })));
    return h("section", { class: "stage" }, h("h2", {}, title), board.element, h("ul", { class: "sr" }, differing));
  }
}
