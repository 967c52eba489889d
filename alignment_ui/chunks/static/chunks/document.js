// The annotation of a pair of sentences: their chunks, the links between the chunks, and the unlinked chunks. The data
// is never changed in place, so that each step is stored for undo.
//
//   {chunks: [[[0, 1], [2]], [[0], [1, 2]]],                    lists of tokens, on each side
//    links: {"0-1": {type: "SPE1", score: 4, flags: []}},       by pair of chunks; type and score may be null
//    left: {"0-1": "NOALI"}}                                    by side and chunk

import { ends, inOrder, touches } from "../pairs/state.js";

const SIDES = ["source", "target"];
export const NEW_LINK = Object.freeze({ type: null, score: null, flags: [] });

// Convert a value or an initial annotation, either of which may lack parts.
export function documentOf(value) {
  const links = (value?.links ?? []).map(({ source, target, type = null, score = null, flags = [] }) => [
    `${source}-${target}`,
    { type, score, flags },
  ]);
  const left = (value?.left ?? []).map(({ side, chunk, type }) => [`${SIDES.indexOf(side)}-${chunk}`, type]);
  return {
    chunks: SIDES.map((side) => value?.chunks?.[side] ?? []),
    links: Object.fromEntries(links),
    left: Object.fromEntries(left),
  };
}

// The inverse. If chunks can have several links, every unlinked chunk is NOALI.
export function answerOf(document, many) {
  const { chunks, links, left } = document;
  const pairs = inOrder(Object.keys(links));
  const over = leftOver(document).map((node) => ({ ...node, type: many ? "NOALI" : left[keyOf(node)] }));
  return {
    chunks: { source: chunks[0], target: chunks[1] },
    links: pairs.map(([source, target]) => ({ source, target, ...links[`${source}-${target}`] })),
    left: over.filter(({ type }) => type).map(({ side, index, type }) => ({ side: SIDES[side], chunk: index, type })),
  };
}

export function keyOf({ side, index }) {
  return `${side}-${index}`;
}

export function linksAt({ links }, node) {
  return Object.keys(links).filter((pair) => touches(pair, node));
}

// Chunks without a link, as nodes.
export function leftOver(document) {
  const nodes = document.chunks.flatMap((chunks, side) => chunks.map((_, index) => ({ side, index })));
  return nodes.filter((node) => !linksAt(document, node).length);
}

// The tokens in no chunk, as nodes; lengths: of both sentences.
export function uncovered({ chunks }, lengths) {
  return lengths.flatMap((length, side) => {
    const covered = new Set(chunks[side].flat());
    return Array.from({ length }, (_, index) => ({ side, index })).filter(({ index }) => !covered.has(index));
  });
}

export function chunkWith({ chunks }, { side, index }) {
  return chunks[side].findIndex((tokens) => tokens.includes(index));
}

// [0, 1, 4] → [[0, 1], [4]]
export function pieces(tokens) {
  return tokens.reduce((found, token) => {
    if (found.at(-1)?.at(-1) === token - 1) found.at(-1).push(token);
    else found.push([token]);
    return found;
  }, []);
}

// ── chunks ───────────────────────────────────────────────────────────────────────────────────────────────────────
// Combine these tokens into one chunk, regardless of their previous chunks.
export function chunk(document, side, tokens, many) {
  const rest = document.chunks[side].flatMap((old) => {
    const kept = old.filter((token) => !tokens.includes(token));
    return pieces(kept).length > pieces(old).length ? pieces(kept) : [kept];
  });
  return regroup(document, side, [...rest.filter((each) => each.length), tokens], many);
}

// Split the chunk in front of a token, or after the token if the chunk begins with it.
export function split(document, { side, index }) {
  const at = chunkWith(document, { side, index });
  const tokens = document.chunks[side][at] ?? [];
  const cut = tokens.indexOf(index) || 1;
  return tokens.length > 1 ? apart(document, side, at, [tokens.slice(0, cut), tokens.slice(cut)]) : document;
}

// Split a chunk into its pieces or, if it has only one piece, into its words.
export function takeApart(document, { side, index }) {
  const tokens = document.chunks[side][index];
  const parts = pieces(tokens);
  return tokens.length > 1
    ? apart(document, side, index, parts.length > 1 ? parts : tokens.map((token) => [token]))
    : document;
}

// Make each token that is not in a chunk a separate chunk.
export function singles(document, lengths) {
  return uncovered(document, lengths).reduce((made, { side, index }) => chunk(made, side, [index]), document);
}

function apart(document, side, at, parts) {
  return regroup(
    document,
    side,
    document.chunks[side].flatMap((tokens, number) => (number === at ? parts : [tokens])),
  );
}

// Chunks that were extended or joined keep their links, and chunks that were split lose their links.
function regroup(document, side, groups, many = true) {
  const chunks = groups.map((tokens) => [...tokens].sort((a, b) => a - b)).sort(([a], [b]) => a - b);
  const moved = document.chunks[side].map((old) =>
    chunks.findIndex((tokens) => old.every((token) => tokens.includes(token))),
  );
  const next = { chunks: document.chunks.map((before, at) => (at === side ? chunks : before)), links: {}, left: {} };
  for (const places of inOrder(Object.keys(document.links))) {
    const pair = places.map((index, at) => (at === side ? moved[index] : index));
    const taken = Object.keys(next.links).some((other) =>
      many ? other === pair.join("-") : touches(other, { side, index: pair[side] }),
    );
    if (pair[side] >= 0 && !taken) next.links[pair.join("-")] = document.links[places.join("-")];
  }
  for (const [key, type] of Object.entries(document.left)) {
    const [at, index] = ends(key);
    const node = { side: at, index: at === side ? moved[index] : index };
    if (node.index >= 0 && !linksAt(next, node).length) next.left[keyOf(node)] = type;
  }
  return next;
}

// ── links ────────────────────────────────────────────────────────────────────────────────────────────────────────
// If each chunk can have only one link, a second link replaces the first.
export function link(document, pair, many) {
  if (document.links[pair]) return document;
  const nodes = ends(pair).map((index, side) => ({ side, index }));
  const freed = many
    ? document
    : unlink(
        document,
        nodes.flatMap((node) => linksAt(document, node)),
      );
  const left = { ...freed.left };
  for (const node of nodes) delete left[keyOf(node)];
  return { ...freed, links: { ...freed.links, [pair]: NEW_LINK }, left };
}

// Move an end of a link to another chunk. The link keeps its type and score.
export function move(document, pair, to, many) {
  const judged = document.links[pair];
  return change(link(unlink(document, [pair]), to, many), to, judged);
}

export function unlink(document, pairs) {
  const links = { ...document.links };
  for (const pair of pairs) delete links[pair];
  return { ...document, links };
}

export function change(document, pair, what) {
  return { ...document, links: { ...document.links, [pair]: { ...document.links[pair], ...what } } };
}

// Mark chunks as NOALI or ALIC. Null removes the mark.
export function mark(document, nodes, type) {
  const left = { ...document.left };
  for (const node of nodes) {
    if (type) left[keyOf(node)] = type;
    else delete left[keyOf(node)];
  }
  return { ...document, left };
}
