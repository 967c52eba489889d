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
import { missing } from "./rules.js";
import { createWording } from "./wording.js";

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
    return { at: "", part: { tokens, link: null, marks }, words: said || strings.noLink };
  }

  function markReading(tokens, own) {
    return { at: "", part: { tokens, left: own?.left ?? null }, words: own?.left ?? unmarked(tokens) };
  }

  // What the answers without a mark on this chunk contain instead. They are one choice, so they have the same words.
  function unmarked(tokens) {
    const [side, key] = sideAndKey(tokens);
    const states = documents.flatMap((document, answer) => {
      if (left[answer][key]) return [];
      if (!has(document, tokens, side)) return ["other"];
      return isLinked(linked[answer], tokens, side) ? ["linked"] : ["none"];
    });
    if (states.includes("none")) return strings.noType;
    if (new Set(states).size > 1) return strings.linkedOrOther;
    return states[0] === "linked" ? strings.linked : strings.otherChunks;
  }

  // Whether each answer has the chunk, and links it if it lacks the mark of the others. The links then differ.
  function isSettledByLinks(tokens) {
    const [side, key] = sideAndKey(tokens);
    const marks = left.flatMap((all) => all[key]?.left ?? []);
    return new Set(marks).size === 1 && left.every((all, answer) => all[key] || isLinked(linked[answer], tokens, side));
  }
}

function sideAndKey(tokens) {
  const side = tokens.findIndex((each) => each.length);
  return [side, keyOfChunk(tokens[side], side)];
}

function isLinked(links, tokens, side) {
  return Object.values(links).some((link) => same(link.tokens[side], tokens[side]));
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
    const apart = [0, 1].every((side) => has(document, tokens, side))
      ? unlink(document, [pairOf(document, tokens)])
      : document;
    return [0, 1].reduce((made, side) => {
      if (!marks[side]) return made;
      const chunked = chunk(made, side, tokens[side], many);
      const node = { side, index: indexOf(chunked, tokens, side) };
      return linksAt(chunked, node).length ? chunked : mark(chunked, [node], marks[side]);
    }, apart);
  }
  if (left === null) {
    const node = nodeOf(document, tokens);
    return has(document, tokens, node.side) ? mark(document, [node], null) : document;
  }
  const next = tokens.reduce((made, each, side) => (each.length ? chunk(made, side, each, many) : made), document);
  if (!left) {
    const pair = pairOf(next, tokens);
    return change(link(next, pair, many), pair, judged);
  }
  const node = nodeOf(next, tokens);
  return mark(unlink(next, linksAt(next, node)), [node], left);
}

// Whether no answer can have both parts: chunks cannot share words, a marked chunk has no links and, unless chunks can
// have several links, a linked chunk has only one.
export function conflict({ content: { many } }, one, other) {
  return claims(one).some((each) => claims(other).some((also) => clash(each, also, many)));
}

const LINKED = "linked";

// The chunks that a part needs, with their state: linked, a mark, or null for no mark.
function claims({ tokens, link: judged, marks, left }) {
  const states = judged ? [LINKED, LINKED] : (marks ?? [left, left]);
  return tokens.flatMap((each, side) => (each.length ? [{ side, tokens: each, state: states[side] }] : []));
}

function clash(one, other, many) {
  if (one.side !== other.side || !one.tokens.some((token) => other.tokens.includes(token))) return false;
  const [isSame, states] = [same(one.tokens, other.tokens), [one.state, other.state]];
  if (states.includes(null)) return isSame && one.state !== other.state && !states.includes(LINKED);
  if (!isSame || one.state !== other.state) return true;
  return one.state === LINKED && !many;
}

// What a combined answer lacks, in words, or "".
export function lacking({ content: { source, target, many }, strings }, value) {
  const texts = [source, target];
  const document = documentOf(value);
  const [first] = missing(document, texts, many);
  return first ? createWording(texts, strings, many).refusal(document, first) : "";
}

// What all answers share: chunks, links with the type and score on which all agree, and marks.
export function shared({ many }, values) {
  const documents = values.map(documentOf);
  const [first] = documents;
  const inAll = (tokens, side) =>
    documents.every((document) => document.chunks[side].some((each) => same(each, tokens)));
  const chunks = first.chunks.map((side, at) => side.filter((tokens) => inAll(tokens, at)));
  const bare = { chunks, links: {}, left: {} };
  const linked = documents.map(linksByTokens);
  const both = Object.values(linked[0]).filter(({ tokens }) => linked.every((all) => JSON.stringify(tokens) in all));
  const joined = both.reduce((made, { tokens }) => {
    const judged = linked.map((all) => all[JSON.stringify(tokens)].link);
    const agreed = (name, otherwise) =>
      judged.every((each) => same(each[name], judged[0][name])) ? judged[0][name] : otherwise;
    const pair = pairOf(made, tokens);
    return change(link(made, pair, many), pair, {
      type: agreed("type", null),
      score: agreed("score", null),
      flags: agreed("flags", []),
    });
  }, bare);
  const left = documents.map(leftByTokens);
  return Object.entries(left[0]).reduce((made, [key, own]) => {
    const isShared = left.every((all) => all[key]?.left === own.left);
    return isShared ? mark(made, [nodeOf(made, own.tokens)], own.left) : made;
  }, joined);
}

function has({ chunks }, tokens, side) {
  return chunks[side].some((each) => same(each, tokens[side]));
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
