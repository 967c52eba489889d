// What two chunks have in common, by their spelling and by word lists, and the type and score that follow from it. The
// page needs no server and no training for it, and treats gold questions like others.

import { WORDS } from "./wordlists.js";

const STEM = 3; // letters that remain without an ending
const MUCH = 2; // words: a chunk with so many more is less close to the other
const NONE = { light: [], negations: [], numbers: [], opposites: [], endings: [] };

/**
 * The likeliest type and score of a link, or null if the words say too little.
 * @param {string[][]} chunks the words of both chunks
 * @param {string} language
 * @returns {{type: string, score: number} | null}
 */
export function likelyJudgement(chunks, language) {
  const lists = listsOf(language);
  const [one, other] = chunks.map((words) => contentOf(words, lists));
  const [more, fewer] = [without(one.content, other.content), without(other.content, one.content)];
  const shared = one.content.size > more.length;
  const isSame = !more.length && !fewer.length && (shared || sameWords(chunks));
  if (one.negated !== other.negated) return shared ? { type: "OPPO", score: 4 } : null;
  if (one.negated && !isSame) return null; // two negations say little
  if (isSame) return { type: "EQUI", score: 5 };
  if (more.some((word) => fewer.some((mate) => lists.opposites.has(`${word} ${mate}`))))
    return { type: "OPPO", score: 4 };
  if (!shared) return null;
  if (more.length && fewer.length) return differOnlyInNumbers(more, fewer, lists) ? { type: "SIMI", score: 3 } : null;
  return { type: more.length ? "SPE1" : "SPE2", score: more.length + fewer.length < MUCH ? 4 : 3 };
}

/**
 * The share of words with a meaning of their own that two chunks have in common, from 0 to 1.
 * @param {string[]} one
 * @param {string[]} other
 * @param {string} language
 */
export function likeness(one, other, language) {
  const lists = listsOf(language);
  const [first, second] = [one, other].map((words) => contentOf(words, lists).content);
  const common = first.size - without(first, second).length;
  return common ? (2 * common) / (first.size + second.size) : 0;
}

function contentOf(words, { light, negations, stem }) {
  const plain = words.map(plainOf).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const content = new Set(plain.filter((word) => !light.has(word) && !negations.has(word)).map(stem));
  return { content, negated: plain.some((word) => negations.has(word)) };
}

function sameWords(chunks) {
  const [one, other] = chunks.map((words) => words.map(plainOf).join(" "));
  return one === other;
}

function differOnlyInNumbers(more, fewer, { numbers }) {
  return [...more, ...fewer].every((word) => numbers.has(word) || /^\p{N}/u.test(word));
}

function without(some, others) {
  return [...some].filter((word) => !others.has(word));
}

const known = new Map(); // by language

function listsOf(language) {
  const code = language?.split("-")[0] ?? "";
  if (!known.has(code)) known.set(code, prepared(WORDS[code] ?? NONE));
  return known.get(code);
}

function prepared({ light, negations, numbers, opposites, endings, article = "" }) {
  const inOrder = [...endings].map(plainOf).sort((a, b) => b.length - a.length);
  const figures = new Map(numbers.map((word, number) => [plainOf(word), `${number}`]));
  const stem = (word) => figures.get(word) ?? stemOf(word, inOrder, article);
  const both = opposites.map((pair) => pair.map((word) => stem(plainOf(word))));
  return {
    light: new Set(light.map(plainOf)),
    negations: new Set(negations.map(plainOf)),
    numbers: new Set(figures.values()),
    opposites: new Set(both.flatMap(([one, other]) => [`${one} ${other}`, `${other} ${one}`])),
    stem,
  };
}

// sitting, sits → sit; offene, offenen → off
function stemOf(word, endings, article) {
  const noun = article && word.startsWith(article) && word.length >= article.length + STEM;
  const bare = noun ? word.slice(article.length) : word;
  const ending = endings.find((each) => bare.endsWith(each) && bare.length - each.length >= STEM);
  if (ending) return stemOf(bare.slice(0, -ending.length), endings, "");
  return bare.length > STEM && bare.at(-1) === bare.at(-2) ? bare.slice(0, -1) : bare;
}

function plainOf(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
