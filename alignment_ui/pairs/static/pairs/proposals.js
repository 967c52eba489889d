// The links of several people on one board, for a person who decides: common links are included from the beginning, and
// all other links are proposals with the letters of the people who drew them.

import { linksOf } from "./kinds.js";

// given: [{value}]. Returns links by pair: `agreed`, and all `proposed`, {kind, by}.
export function proposalsOf(given) {
  const drawings = given.map(({ value }) => linksOf(value));
  const proposed = {};
  drawings.forEach((links, at) => {
    for (const [pair, { kind }] of Object.entries(links)) {
      const by = (proposed[pair]?.by ?? "") + letter(at);
      proposed[pair] = { kind: proposed[pair]?.kind ?? kind, by };
    }
  });
  const alike = (pair) => drawings.every((links) => links[pair]?.kind === proposed[pair].kind);
  const agreed = Object.fromEntries(Object.entries(proposed).filter(([pair]) => alike(pair)));
  for (const pair of Object.keys(agreed)) delete proposed[pair];
  return { agreed, proposed };
}

// The links to draw, including proposals: proposals that nobody has accepted are below the others, and all proposals
// have letters.
export function withProposals(links, proposed) {
  const own = links.map((link) => ({ ...link, by: proposed[link.pair]?.by }));
  const taken = new Set(links.map(({ pair }) => pair));
  const others = Object.entries(proposed).filter(([pair]) => !taken.has(pair));
  return [...others.map(([pair, { kind, by }]) => ({ pair, look: kind, mark: "proposed", by })), ...own];
}

function letter(at) {
  return String.fromCharCode(65 + at);
}
