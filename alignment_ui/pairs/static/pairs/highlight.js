// The nodes and the links that the board highlights: the selected nodes with their links, or otherwise the node or the
// link under the pointer or in focus.

import { anythingChosen } from "./selection.js";
import { ends } from "./state.js";

const SIDES = [0, 1];

// shown: the links on the board. Returns any: whether something is highlighted, chosen: the nodes per side, pairs: the
// links, and mates: the nodes per side at the ends of these links.
export function highlight(state, shown) {
  const { selection, lit } = state;
  const chosen = anythingChosen(state) ? selection : SIDES.map((side) => onSide(side, lit?.node));
  const selected = state.selected ?? [];
  const stands = (pair) => pair === lit?.pair || touched(pair, chosen) || selected.includes(pair);
  const up = shown.filter((link) => pairsOf(link).some(stands));
  const mates = SIDES.map((side) => new Set(up.flatMap(pairsOf).map((pair) => ends(pair)[side])));
  if (lit?.node) mates[lit.node.side].add(lit.node.index);
  if (lit?.pair) ends(lit.pair).forEach((index, side) => mates[side].add(index));
  const any = Boolean(lit) || anythingChosen(state) || selected.length > 0;
  return { any, chosen, pairs: new Set(up.map(({ pair }) => pair)), mates };
}

// All pairs of a link, which is a block if there are several.
export function pairsOf({ pair, pairs }) {
  return pairs ?? [pair];
}

// All pairs of the block among the links on the board that contains a pair, or only the pair.
export function blockIn(shown, pair) {
  const link = shown.find((each) => pairsOf(each).includes(pair));
  return link ? pairsOf(link) : [pair];
}

// If nodes are selected on both sides, only the links between them; otherwise, all links of the selected nodes.
function touched(pair, chosen) {
  const inside = ends(pair).map((index, side) => chosen[side].has(index));
  return chosen.every((side) => side.size) ? inside.every(Boolean) : inside.some(Boolean);
}

function onSide(side, node) {
  return new Set(node?.side === side ? [node.index] : []);
}
