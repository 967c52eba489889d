// Navigation with only the keyboard: to the next word without a link, and from a word to its match by typing.

import { compose, h } from "../js/annotate/dom.js";
import { createFinder } from "../pairs/finder.js";
import { choose } from "../pairs/selection.js";
import { block, ends } from "../pairs/state.js";
import { isolated } from "../pairs/wording.js";

const SIDES = [0, 1];

// board: that of the words; act: join(pairs), show(), tell(sentence), press(event): a key of the task
export function createSearch(state, { texts, strings, board, act }) {
  let origin = null; // the word whose match is looked for, or that was visited last
  const finder = createFinder({
    strings,
    words: ({ side, index }) => isolated(texts[side][index]),
    act: { mark, take, left: letGo, back: () => board.focus(origin), press: act.press },
  });

  // Go to the next word without a link, and select the word.
  function next() {
    const node = nextFrom(board.focused() ?? origin);
    if (!node) return act.tell(strings.noneOpen);
    pickUp(node);
    board.focus(node);
  }

  // Start from the selected words or, if no words are selected, from the next word without a link.
  function find() {
    const side = state.selection.findIndex((chosen) => chosen.size);
    const focused = board.focused();
    if (side >= 0) origin = { side, index: Math.min(...state.selection[side]) };
    else origin = focused && isOpen(focused) ? focused : nextFrom(focused ?? origin);
    if (!origin) return act.tell(strings.noneOpen);
    if (side < 0) pickUp(origin);
    const picked = [...state.selection[origin.side]].map((index) => texts[origin.side][index]).join(" ");
    finder.open(compose(strings.findMatch, { words: h("bdi", {}, picked) }), candidates());
  }

  // Words of the other side: first those without a link, then those nearest to the same place in the sentence.
  function candidates() {
    const other = 1 - origin.side;
    const place = (index) => Math.abs(index / texts[other].length - origin.index / texts[origin.side].length);
    return texts[other]
      .map((_, index) => ({ side: other, index }))
      .sort((a, b) => Number(!isOpen(a)) - Number(!isOpen(b)) || place(a.index) - place(b.index));
  }

  function take(node) {
    const [own, other] = [[...state.selection[origin.side]], [node.index]];
    choose(state);
    act.join(origin.side ? block(other, own) : block(own, other));
  }

  function mark(nodes) {
    const typed = nodes.length < (origin ? texts[1 - origin.side].length : 0);
    board.aim(typed ? (nodes[0] ?? null) : null);
    board.number(nodes);
  }

  function letGo() {
    choose(state);
    act.show();
  }

  function pickUp(node) {
    origin = node;
    choose(state, ...SIDES.map((side) => (side === node.side ? [node.index] : [])));
    state.anchor = node;
    act.show();
  }

  function nextFrom(node) {
    const open = SIDES.flatMap((side) => texts[side].map((_, index) => ({ side, index }))).filter(isOpen);
    const after = ({ side, index }) => node && (side > node.side || (side === node.side && index > node.index));
    return open.find(after) ?? open[0] ?? null;
  }

  function isOpen({ side, index }) {
    return !Object.keys(state.links).some((pair) => ends(pair)[side] === index);
  }

  return { element: finder.element, next, find };
}
