// Blocks: every word of one group is linked with every word of another group, with the same kind of link. A block is
// shown, selected and changed as one band instead of m × n lines.

import { ends } from "./state.js";

// links: [{pair, look, mark, by}]. Returns the same list with one entry per block, which has `pairs` and, as `sides`,
// the two groups. Links with the letters of authors are not combined.
export function withBlocks(links) {
  const free = links.filter(({ by }) => !by);
  const kinds = new Set(free.map(kindOf));
  const blocks = [...kinds].flatMap((kind) => blocksOf(free.filter((link) => kindOf(link) === kind)));
  const inside = new Set(blocks.flatMap(({ pairs }) => pairs));
  return [...blocks, ...links.filter(({ pair }) => !inside.has(pair))];
}

function kindOf({ look, mark }) {
  return `${look} ${mark}`;
}

// The largest block first, until none is left.
function blocksOf(links) {
  const { look, mark } = links[0];
  const blocks = [];
  let rows = rowsOf(links.map(({ pair }) => pair));
  for (let sides = largest(rows); sides; sides = largest(rows)) {
    const pairs = sides[0].flatMap((i) => sides[1].map((j) => `${i}-${j}`));
    blocks.push({ pair: pairs[0], pairs, sides, look, mark });
    for (const i of sides[0]) for (const j of sides[1]) rows.get(i).delete(j);
    rows = new Map([...rows].filter(([, row]) => row.size));
  }
  return blocks;
}

function rowsOf(pairs) {
  const rows = new Map();
  for (const [i, j] of pairs.map(ends)) rows.set(i, (rows.get(i) ?? new Set()).add(j));
  return rows;
}

// The common columns of two rows, with every other row that also contains them: at least two by two.
function largest(rows) {
  const all = [...rows.keys()].filter((i) => rows.get(i).size > 1).sort((a, b) => a - b);
  let best = null;
  for (const common of commonColumns(all, rows)) {
    const having = all.filter((each) => common.every((j) => rows.get(each).has(j)));
    if (having.length * common.length > (best ? best[0].length * best[1].length : 0)) best = [having, common];
  }
  return best;
}

// The columns that two rows share, if there are at least two, of all pairs of rows in order. Most rows of a long pair of
// sentences share no column, so only rows that meet in a column are compared.
function commonColumns(all, rows) {
  const earlier = new Map(); // column → the rows so far that contain it
  const common = [];
  for (const i of all) {
    const shared = new Map(); // earlier row → columns
    for (const j of [...rows.get(i)].sort((a, b) => a - b)) {
      for (const other of earlier.get(j) ?? []) shared.set(other, [...(shared.get(other) ?? []), j]);
      earlier.set(j, [...(earlier.get(j) ?? []), i]);
    }
    for (const [other, columns] of shared) if (columns.length > 1) common.push({ other, i, columns });
  }
  return common.sort((a, b) => a.other - b.other || a.i - b.i).map(({ columns }) => columns);
}

// [0, 1, 4] → [[0, 1], [4, 4]]
export function runs(indexes) {
  const found = [];
  for (const index of indexes) {
    if (found.at(-1)?.[1] === index - 1) found.at(-1)[1] = index;
    else found.push([index, index]);
  }
  return found;
}
