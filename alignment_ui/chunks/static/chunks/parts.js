// The links and unlinked chunks of several answers, for a reviewer who decides between them. Parts are compared by
// their tokens, because two answers can have different chunks.

import { same } from "../js/annotate/dom.js";
import { ends } from "../pairs/state.js";
import {
  answerOf,
  change,
  chunk,
  chunkWith,
  documentOf,
  keyOf,
  leftOver,
  link,
  linksAt,
  mark,
  unlink,
} from "./document.js";
import { createWording } from "./wording.js";

const NO_MARK = "–";

// A part is {tokens: [[0, 1], [2]], link}, or {tokens, link: null, marks} if the answer has no such link: `marks` are the
// answer's marks on the two chunks, or null. A part {tokens, left} is a chunk that answers mark differently.
export function parts({ content, strings }, values) {
  const { source, target, many } = content;
  const wording = createWording([source, target], strings, many);
  const documents = values.map(documentOf);
  const [linked, left] = [documents.map(linksByTokens), documents.map(many ? () => ({}) : leftByTokens)];
  const links = allParts(linked, linkReading);
  const marks = allParts(left, markReading).filter(({ tokens }) => !isSettledByLinks(tokens));
  return [...links, ...marks];

  function allParts(byTokens, reading) {
    return Object.entries(Object.assign({}, ...byTokens)).map(([key, { tokens }]) => ({
      at: key,
      tokens,
      label: tokens.flatMap((each, side) => (each.length ? [wording.tokens(side, each)] : [])).join(" – "),
      readings: byTokens.map((all, answer) => reading(tokens, all[key], answer)),
    }));
  }

  // `at` is the label in the picture.
  function linkReading(tokens, own, answer) {
    if (own) return { at: own.pair, part: { tokens, link: own.link }, words: wording.judgement(own.link) };
    const marks = tokens.map((each, side) => left[answer][keyOfChunk(each, side)]?.left ?? null);
    const said = [...new Set(marks.filter(Boolean))].join(", ");
    return { at: "", part: { tokens, link: null, marks }, words: said || strings.unlinked };
  }

  function markReading(tokens, own) {
    return { at: "", part: { tokens, left: own?.left ?? null }, words: own?.left ?? NO_MARK };
  }

  // Whether each answer has the chunk, and links it if it lacks the mark of the others. The links then differ.
  function isSettledByLinks(tokens) {
    const side = tokens.findIndex((each) => each.length);
    const key = keyOfChunk(tokens[side], side);
    const marks = left.flatMap((all) => all[key]?.left ?? []);
    const isLinked = (all) => Object.values(all).some((link) => same(link.tokens[side], tokens[side]));
    return new Set(marks).size === 1 && left.every((all, answer) => all[key] || isLinked(linked[answer]));
  }
}

function keyOfChunk(tokens, side) {
  return JSON.stringify([0, 1].map((each) => (each === side ? tokens : [])));
}

// Put one part into an answer, with its chunks. Chunks that lose tokens also lose their links.
export function withPart({ content: { many } }, value, part) {
  return answerOf(changed(documentOf(value), part, many), many);
}

function changed(document, { tokens, link: judged, marks, left }, many) {
  if (judged === null) {
    const exists = tokens.map((each, side) => same(document.chunks[side][indexOf(document, tokens, side)], each));
    const apart = exists.every(Boolean) ? unlink(document, [pairOf(document, tokens)]) : document;
    const nodes = [0, 1].filter((side) => exists[side] && marks[side]).map((side) => ({ side, type: marks[side] }));
    return nodes.reduce((made, { side, type }) => {
      const node = { side, index: indexOf(made, tokens, side) };
      return linksAt(made, node).length ? made : mark(made, [node], type);
    }, apart);
  }
  if (left === null) return mark(document, [nodeOf(document, tokens)], null);
  const next = tokens.reduce((made, each, side) => (each.length ? chunk(made, side, each, many) : made), document);
  if (!left) {
    const pair = pairOf(next, tokens);
    return change(link(next, pair, many), pair, judged);
  }
  const node = nodeOf(next, tokens);
  return mark(unlink(next, linksAt(next, node)), [node], left);
}

function nodeOf(document, tokens) {
  const side = tokens.findIndex((each) => each.length);
  return { side, index: indexOf(document, tokens, side) };
}

function pairOf(document, tokens) {
  return tokens.map((_, side) => indexOf(document, tokens, side)).join("-");
}

function indexOf(document, tokens, side) {
  return chunkWith(document, { side, index: tokens[side][0] });
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
