// The rules from the guidelines of interpretable STS that a page can check: the scores of each type, and the missing
// parts of an annotation.

import { keyOf, leftOver, uncovered } from "./document.js";

export const TYPES = ["EQUI", "OPPO", "SPE1", "SPE2", "SIMI", "REL"];
export const LEFT = ["NOALI", "ALIC"];
export const FLAGS = ["FACT", "POL"];
export const SCORES = [1, 2, 3, 4, 5];
const TOP = 5;

// Only EQUI has a score of 5, and chunks with a score of 0 do not match.
export function fits(type, score) {
  return score !== null && (type === "EQUI" ? score === TOP : score > 0 && score < TOP);
}

// Punctuation at the end of a sentence needs no link. The server treats it as NOALI.
const MARK = /^\p{P}+$/u;

export function isFinalMark(texts, { chunks }, { side, index }) {
  const last = texts[side].findLastIndex((token) => !MARK.test(token));
  return chunks[side][index].every((token) => token > last);
}

// Chunks that need a link or a mark.
export function unlinked(document, texts) {
  return leftOver(document).filter((node) => !document.left[keyOf(node)] && !isFinalMark(texts, document, node));
}

// The name of the text that describes the scores of a type.
export function scoreRule(type) {
  return type === "EQUI" ? "scoresOfEqui" : "scoresOfOthers";
}

// Set the type of a link. EQUI sets the score, and removes it when the type changes.
export function typed({ score }, type) {
  if (type === "EQUI") return { type, score: TOP };
  return { type, score: fits(type, score) ? score : null };
}

// "both", "type", "score" or "".
export function needs({ type, score }) {
  if (!type) return fits(type, score) ? "type" : "both";
  return fits(type, score) ? "" : "score";
}

// The missing steps, in order: {token}, {pair, needs} or {node}.
export function missing(document, texts, many) {
  const lengths = texts.map((tokens) => tokens.length);
  const tokens = uncovered(document, lengths).map((token) => ({ token }));
  const links = Object.entries(document.links).map(([pair, link]) => ({ pair, needs: needs(link) }));
  const loose = many ? [] : unlinked(document, texts);
  return [...tokens, ...links.filter((link) => link.needs), ...loose.map((node) => ({ node }))];
}

// The first node after a given node, or the first of all nodes.
export function nextFrom(node, nodes) {
  const after = ({ side, index }) => node && (side > node.side || (side === node.side && index > node.index));
  return nodes.find(after) ?? nodes[0] ?? null;
}
