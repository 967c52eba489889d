// The line above the sentences: the selection, or otherwise the highlighted word or links with the totals.

import { h } from "../js/annotate/dom.js";

export function createLine(state, { wording, proposed, board }) {
  const element = h("p", { class: "says" });

  function description(totals) {
    const { selection, lit, selected } = state;
    const isPicked = lit?.node && selection[lit.node.side].has(lit.node.index);
    const chosen = wording.chosen(selection, Boolean(lit) && !isPicked);
    const pairs = selected.length ? selected : lit?.pair ? board.blockOf(lit.pair) : null;
    const about = pairs
      ? wording.pairsLine(pairs, state, proposed)
      : lit?.node
        ? wording.nodeLine(lit.node, state)
        : [];
    return chosen || [...about, totals];
  }

  return {
    element,

    // totals: the numbers of links and of changes, in words; instead: a sentence in place of all this, or null
    render(totals, instead) {
      element.replaceChildren(.../** @type {(Node | string)[]} */ ([instead ?? description(totals)].flat(9)));
    },
  };
}
