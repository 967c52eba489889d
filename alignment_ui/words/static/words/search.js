// From a word to its match by typing.

import { compose, h } from "../js/annotate/dom.js";
import { createFinder } from "../pairs/finder.js";
import { choose } from "../pairs/selection.js";
import { block } from "../pairs/state.js";
import { isolated } from "../pairs/wording.js";
import { isOpen, openAfter } from "./visits.js";

// board: that of the words; visits: pickUp(node), last() and end(); act: join(pairs), show(), tell(sentence),
// press(event): a key of the task
export function createSearch(state, { texts, strings, board, visits, act }) {
  let origin = null; // the word whose match is looked for
  let visited = false; // the word is visited, so the next one follows
  const finder = createFinder({
    strings,
    words: ({ side, index }) => isolated(texts[side][index]),
    act: { mark, take, left: letGo, back, press: act.press },
  });

  // Start from the selected words or, if no words are selected, from the next word without a link.
  function find() {
    const side = state.selection.findIndex((chosen) => chosen.size);
    const focused = board.focused();
    if (side >= 0) origin = { side, index: Math.min(...state.selection[side]) };
    else origin = focused && isOpen(state, focused) ? focused : nextOpen(focused ?? visits.last() ?? origin);
    if (!origin) return act.tell(strings.noneOpen);
    if (side < 0) visits.pickUp(origin);
    visited = visits.isAt(origin);
    visits.end();
    const picked = [...state.selection[origin.side]].map((index) => texts[origin.side][index]).join(" ");
    finder.open(compose(strings.findMatch, { words: h("bdi", {}, picked) }), candidates());
  }

  // Words of the other side: first those without a link, then those nearest to the same place in the sentence.
  function candidates() {
    const other = 1 - origin.side;
    const place = (index) => Math.abs(index / texts[other].length - origin.index / texts[origin.side].length);
    return texts[other]
      .map((_, index) => ({ side: other, index }))
      .sort((a, b) => Number(!isOpen(state, a)) - Number(!isOpen(state, b)) || place(a.index) - place(b.index));
  }

  function take(node) {
    const [own, other] = [[...state.selection[origin.side]], [node.index]];
    choose(state);
    act.join(origin.side ? block(other, own) : block(own, other));
  }

  function back() {
    if (!visited || !visits.goOn(origin)) board.focus(origin);
  }

  function mark(nodes) {
    const typed = nodes.length < (origin ? texts[1 - origin.side].length : 0);
    board.aim(typed ? (nodes[0] ?? null) : null);
    board.number(nodes.map((node) => [node, node.index + 1]));
  }

  function letGo() {
    choose(state);
    act.show();
  }

  function nextOpen(node) {
    return openAfter(state, texts, node) ?? openAfter(state, texts, null);
  }

  return { element: finder.element, find };
}
