// Blocks of links: chunks of one side that are all linked with the same chunks of the other side, with the same type
// and score. A block is shown as one band with one label, and is changed and removed as a whole.

import { withBlocks } from "../pairs/blocks.js";
import { needs } from "./rules.js";

// The links that the board shows: [{pair, look, mark}], or {pair, pairs, sides, look, mark} for a block.
export function shownLinks(links) {
  const alike = {}; // by judgement
  for (const [pair, link] of Object.entries(links)) {
    const shown = { pair, look: needs(link) ? "possible" : "sure", mark: "" };
    const key = judgementOf(link);
    alike[key] = [...(alike[key] ?? []), shown];
  }
  return Object.values(alike).flatMap(withBlocks);
}

// All pairs of the block that contains a link, or only the link.
export function blockWith(links, pair) {
  const shown = shownLinks(links).find((each) => pairsOf(each).includes(pair));
  return shown ? pairsOf(shown) : [];
}

export function pairsOf({ pair, pairs }) {
  return pairs ?? [pair];
}

function judgementOf({ type, score, flags }) {
  return JSON.stringify([type, score, [...flags].sort()]);
}
