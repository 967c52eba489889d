// Sure and possible links: the lists that are sent and stored, and the links in a state and on a board.

import { difference, inOrder } from "./state.js";

const LAYERS = ["possible", "sure"]; // sure links are drawn over possible ones

// Convert {sure: [[i, j], …], possible: […]} to links by pair. Without `suggested`, the links are the suggestion.
export function linksOf(lists, suggested = null) {
  const pairs = LAYERS.flatMap((kind) => (lists?.[kind] ?? []).map(([i, j]) => [`${i}-${j}`, kind]));
  return Object.fromEntries(pairs.map(([pair, kind]) => [pair, linkOf(pair, kind, suggested)]));
}

export function linkOf(pair, kind, suggested) {
  return { kind, origin: !suggested || suggested[pair]?.kind === kind ? "suggested" : "human" };
}

export function listsOf(links) {
  const of = (kind) => inOrder(Object.keys(links).filter((pair) => links[pair].kind === kind));
  return { sure: of("sure"), possible: of("possible") };
}

// The links that a board draws. With `before`, each link has a mark for its difference, and removed links are included.
export function drawn(links, before = null) {
  const all = before ? { ...before, ...links } : links;
  return Object.entries(all)
    .map(([pair, { kind }]) => ({ pair, look: kind, mark: before ? difference(before[pair], links[pair]) : "" }))
    .sort((a, b) => rank(a) - rank(b));
}

function rank({ look, mark }) {
  return (mark === "removed" ? -2 : 0) + LAYERS.indexOf(look);
}
