// The likely matches of a word: by the aligner's probabilities if the question has them, and otherwise by what the page
// knows: the spelling of the words, and the links on either side, near which a match usually lies.

import { ends } from "../pairs/state.js";

const SPELLING = 3; // weights, chosen on people's alignments: bench/editor_actions.py
const DISTANCE = 0.7;
const LINKED = 0.5;
const SHORTEST = 3; // letters that two words must share at the beginning
const IN_DOUBT = 2; // the places of a link's words in each other's lists, added up

/**
 * The words of the other side, likeliest first, without those that the word is linked with.
 * @param {{side: number, index: number}} node
 * @param {string[]} pairs the links
 * @param {string[][]} texts
 * @param {Map<string, number>} [chances] the aligner's probabilities of likely links
 */
export function likely({ side, index }, pairs, texts, chances = new Map()) {
  const linked = pairs.map(ends).map((pair) => [pair[side], pair[1 - side]]);
  const own = new Set(linked.filter(([here]) => here === index).map(([, there]) => there));
  const taken = new Set(linked.map(([, there]) => there));
  const place = expected(index, linked, texts[side].length, texts[1 - side].length);
  const score = texts[1 - side].map((word, at) => {
    const distance = Math.abs(at - place);
    const far = (DISTANCE * distance) / (1 + distance / 10);
    return SPELLING * likeness(texts[side][index], word) - far - (taken.has(at) ? LINKED : 0);
  });
  const chance = score.map((_, at) => chances.get(pairOf({ side, index }, at)) ?? 0);
  const others = score.flatMap((_, at) => (own.has(at) ? [] : [at]));
  return others.sort((a, b) => chance[b] - chance[a] || score[b] - score[a] || a - b);
}

/**
 * Whether other words are likelier matches of the words of this link than they are of each other.
 * @param {string} pair
 * @param {string[]} pairs
 * @param {string[][]} texts
 */
export function isDoubtful(pair, pairs, texts) {
  const rest = pairs.filter((other) => other !== pair);
  const places = ends(pair).map((index, side) => likely({ side, index }, rest, texts).indexOf(ends(pair)[1 - side]));
  return places[0] + places[1] >= IN_DOUBT;
}

/**
 * The probabilities from the built-in aligner, by pair.
 * @param {{sure: number[][], likely?: number[][]} | null} start the initial links
 */
export function chancesOf(start) {
  return new Map((start?.likely ?? []).map(([i, j, chance]) => [`${i}-${j}`, chance]));
}

export function pairOf({ side, index }, match) {
  return side ? `${match}-${index}` : `${index}-${match}`;
}

// The place on the other side as far from the nearest link as the word is, or at the same share of the sentence.
function expected(index, linked, length, other) {
  const before = linked.filter(([here]) => here < index).sort(([a, b], [c, d]) => c - a || d - b)[0];
  const after = linked.filter(([here]) => here > index).sort(([a, b], [c, d]) => a - c || b - d)[0];
  const [back, ahead] = [index - (before?.[0] ?? -1), (after?.[0] ?? length) - index];
  const nearest = back <= ahead ? before : after;
  return nearest ? nearest[1] + index - nearest[0] : ((index + 0.5) * other) / length - 0.5;
}

// 1 for the same word, ignoring case and accents, otherwise the share of letters in the same beginning.
function likeness(one, other) {
  const [first, second] = [plain(one), plain(other)];
  if (first === second) return 1;
  const longest = Math.max(first.length, second.length);
  let shared = 0;
  while (shared < longest && first[shared] === second[shared]) shared += 1;
  return shared < SHORTEST ? 0 : shared / longest;
}

function plain(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
