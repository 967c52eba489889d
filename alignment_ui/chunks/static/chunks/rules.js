// What the guidelines of interpretable STS ask of an annotation, as far as a page can see it: which scores go with which
// type, and what is still to be said.

import { keyOf, leftOver, uncovered } from "./document.js";

export const TYPES = ["EQUI", "OPPO", "SPE1", "SPE2", "SIMI", "REL"];
export const LEFT = ["NOALI", "ALIC"];
export const FLAGS = ["FACT", "POL"];
export const SCORES = [0, 1, 2, 3, 4, 5];
const TOP = 5;

// EQUI scores 5 and nothing else does; what scores 0 is no match.
export function fits(type, score) {
  return score !== null && (type === "EQUI" ? score === TOP : score > 0 && score < TOP);
}

// The marks at the end of a sentence need no link; the server takes them as NOALI.
const MARK = /^\p{P}+$/u;

export function isFinalMark(texts, { chunks }, { side, index }) {
  const last = texts[side].findLastIndex((token) => !MARK.test(token));
  return chunks[side][index].every((token) => token > last);
}

// Chunks that have no link and need one, or a mark.
export function unlinked(document, texts) {
  return leftOver(document).filter((node) => !document.left[keyOf(node)] && !isFinalMark(texts, document, node));
}

// The name of the sentence that says which scores go with a type.
export function scoreRule(type) {
  return type === "EQUI" ? "scoresOfEqui" : "scoresOfOthers";
}

// What becomes of a link with this type: EQUI brings its score, and takes it along when it goes.
export function typed({ score }, type) {
  if (type === "EQUI") return { type, score: TOP };
  return { type, score: fits(type, score) ? score : null };
}

// "both", "type", "score" or "".
export function needs({ type, score }) {
  if (!type) return fits(type, score) ? "type" : "both";
  return fits(type, score) ? "" : "score";
}

// What is still to be done, in order: {token}, {pair, needs} or {node} each.
export function missing(document, texts, many) {
  const lengths = texts.map((tokens) => tokens.length);
  const tokens = uncovered(document, lengths).map((token) => ({ token }));
  const links = Object.entries(document.links).map(([pair, link]) => ({ pair, needs: needs(link) }));
  const loose = many ? [] : unlinked(document, texts);
  return [...tokens, ...links.filter((link) => link.needs), ...loose.map((node) => ({ node }))];
}
