// Blocks of links: chunks of one side that are all linked with the same chunks of the other, and judged alike. A block is
// one band with one label, and is judged and removed as one thing.

import { withBlocks } from "../pairs/blocks.js";
import { needs } from "./rules.js";

// What the board shows: [{pair, look, mark}], and for a block {pair, pairs, sides, look, mark}.
export function shownLinks(links) {
  const alike = {}; // by judgement
  for (const [pair, link] of Object.entries(links)) {
    const shown = { pair, look: needs(link) ? "possible" : "sure", mark: "" };
    const key = judgementOf(link);
    alike[key] = [...(alike[key] ?? []), shown];
  }
  return Object.values(alike).flatMap(withBlocks);
}

// All pairs of the block that a link is in, or the link alone.
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
