// The links and unlinked chunks in which two answers differ, for reviewers who take single parts of an annotator's
// answer. Parts are compared by their tokens, because two answers can have different chunks.

import { same } from "../js/annotate/dom.js";
import { ends } from "../pairs/state.js";
import { change, chunk, chunkWith, documentOf, keyOf, leftOver, link, linksAt, mark, unlink } from "./document.js";
import { createWording } from "./wording.js";

// A part is {tokens: [[0, 1], [2]], link}, where `link` is null if `theirs` has no such link, or {tokens, left} for a
// chunk that `theirs` marks as unlinked.
export function differences({ content, strings }, own, theirs) {
  const { source, target, many } = content;
  const wording = createWording([source, target], strings, many);
  const [before, after] = [documentOf(own), documentOf(theirs)];
  const [linksBefore, linksAfter] = [linksByTokens(before), linksByTokens(after)];
  const taken = Object.keys(linksAfter)
    .filter((key) => !same(linksAfter[key].link, linksBefore[key]?.link))
    .map((key) => ({
      ...named(linksAfter[key], wording.judgement(linksAfter[key].link)),
      at: linksAfter[key].pair, // the label in the picture
    }));
  const gone = Object.keys(linksBefore)
    .filter((key) => !linksAfter[key])
    .map((key) => named({ ...linksBefore[key], link: null }, strings.unlinked));
  const [leftBefore, leftAfter] = many ? [{}, {}] : [before, after].map(leftByTokens);
  const left = Object.keys(leftAfter)
    .filter((key) => leftAfter[key].left !== leftBefore[key]?.left)
    .map((key) => named(leftAfter[key], leftAfter[key].left));
  return [...taken, ...gone, ...left];

  function named({ tokens, link, left }, what) {
    const part = left ? { tokens, left } : { tokens, link };
    const sides = tokens.flatMap((each, side) => (each.length ? [wording.tokens(side, each)] : []));
    return { part, words: `${sides.join(" – ")}: ${what}` };
  }
}

// Put one part into a document, with its chunks. Chunks that lose tokens also lose their links.
export function withPart(document, { tokens, link: judged, left }, many) {
  if (judged === null) return unlink(document, [pairOf(document, tokens)]);
  const next = tokens.reduce((made, each, side) => (each.length ? chunk(made, side, each, many) : made), document);
  if (!left) {
    const pair = pairOf(next, tokens);
    return change(link(next, pair, many), pair, judged);
  }
  const side = tokens.findIndex((each) => each.length);
  const node = { side, index: chunkWith(next, { side, index: tokens[side][0] }) };
  return mark(unlink(next, linksAt(next, node)), [node], left);
}

function pairOf(document, tokens) {
  return tokens.map((each, side) => chunkWith(document, { side, index: each[0] })).join("-");
}

function linksByTokens({ chunks, links }) {
  const parts = Object.keys(links).map((pair) => {
    const tokens = ends(pair).map((index, side) => chunks[side][index]);
    return [JSON.stringify(tokens), { pair, tokens, link: links[pair] }];
  });
  return Object.fromEntries(parts);
}

function leftByTokens(document) {
  const marked = leftOver(document).filter((node) => document.left[keyOf(node)]);
  const parts = marked.map((node) => {
    const tokens = [0, 1].map((side) => (side === node.side ? document.chunks[side][node.index] : []));
    return [JSON.stringify(tokens), { tokens, left: document.left[keyOf(node)] }];
  });
  return Object.fromEntries(parts);
}
