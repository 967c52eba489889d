// What an alignment amounts to, in words: for the line below it, for cells, and for what is read out.

import { compose, counted, h, say } from "../js/annotate/dom.js";
import { difference, ends, touches } from "./state.js";

const WITH = { possible: "possibleWith", sure: "sureWith" };
const CHANGES = { added: "addedByYou", removed: "suggestionRemoved", changed: "changedByYou" };

export function createWording(texts, strings) {
  const word = ({ side, index }) => texts[side][index];
  const pairWords = (pair) =>
    ends(pair)
      .map((index, side) => texts[side][index])
      .join(" – ");
  const partner = (pair, { side }) => word({ side: 1 - side, index: ends(pair)[1 - side] });

  // "1 link", "3 links"
  function count(name, n) {
    return counted(strings[name], n);
  }

  // A node's links, sure ones last, as [{kind, words}].
  function partners(links, node) {
    return ["possible", "sure"]
      .map((kind) => ({
        kind,
        pairs: Object.keys(links).filter((pair) => links[pair].kind === kind && touches(pair, node)),
      }))
      .filter(({ pairs }) => pairs.length)
      .map(({ kind, pairs }) => ({ kind, words: pairs.map((pair) => partner(pair, node)) }));
  }

  return {
    // "he – she: sure, from the pre-alignment"
    pair(pair, { links, suggested }, proposed = {}) {
      const [link, before] = [links[pair], suggested[pair]];
      const by = proposed[pair]?.by;
      const change = Object.keys(suggested).length ? difference(before, link) : "";
      const origin = change ? strings[CHANGES[change]] : link && before ? strings.asSuggested : "";
      const what = [
        link ? strings[link.kind] : change ? "" : strings.notLinked,
        origin,
        by && say(strings.drawnBy, { by }),
      ].filter(Boolean);
      return `${pairWords(pair)}: ${what.join(", ")}`;
    },

    // "cost: possible with expensive"
    node(node, { links }) {
      const found = partners(links, node).map(({ kind, words }) =>
        say(strings[WITH[kind]], { words: words.join(", ") }),
      );
      return `${word(node)}: ${found.join("; ") || strings.noMatch}`;
    },

    // The same with the words set off, for the line below the board.
    nodeLine(node, { links }) {
      const found = partners(links, node).map(({ kind, words }) =>
        compose(strings[WITH[kind]], { words: words.flatMap((each, at) => [at ? ", " : "", h("i", {}, each)]) }),
      );
      return [
        h("b", {}, `${word(node)}: `),
        found.length ? found.flatMap((part, at) => [at ? ", " : "", part]) : strings.noMatch,
        ". ",
      ];
    },

    pairLine(pair, state, proposed) {
      const [words, what] = this.pair(pair, state, proposed).split(/: (?=[^:]*$)/);
      return [h("b", {}, `${words}: `), `${what}. `];
    },

    // "17 links, 4 possible; 1 word unmatched; 3 added, 2 removed"
    totals({ links, suggested }) {
      const pairs = Object.keys(links);
      const possible = pairs.filter((pair) => links[pair].kind === "possible").length;
      const linked = new Set(pairs.flatMap((pair) => ends(pair).map((index, side) => `${side} ${index}`)));
      const loose = texts[0].length + texts[1].length - linked.size;
      const changes = Object.keys(suggested).length ? differences(links, suggested) : {};
      return [
        [count("links", pairs.length), possible && say(strings.ofThemPossible, { n: possible })],
        [loose && count("unmatched", loose)],
        ["added", "removed", "changed"].map((name) => changes[name] && say(strings[name], { n: changes[name] })),
      ]
        .map((part) => part.filter(Boolean).join(", "))
        .filter(Boolean)
        .join("; ");
    },

    // What a change did: "he – she: sure", "6 links: possible"
    done(pairs, outcome) {
      const what = pairs.length === 1 ? pairWords(pairs[0]) : count("links", pairs.length);
      return `${what}: ${outcome}`;
    },

    count,
    chosen: ([firsts, seconds]) => say(strings.blockReady, { n: firsts.size, m: seconds.size }),
  };
}

// The pairs of words that are the same, whatever their case. Punctuation needs no help.
export function identical(texts) {
  const [firsts, seconds] = texts.map((tokens) => tokens.map((token) => token.toLocaleLowerCase()));
  const alike = (first, second) => first === second && /[\p{L}\p{N}]/u.test(first);
  return firsts.flatMap((first, i) => seconds.flatMap((second, j) => (alike(first, second) ? [`${i}-${j}`] : [])));
}

export function differences(links, before) {
  const found = {};
  for (const pair of new Set([...Object.keys(before), ...Object.keys(links)])) {
    const name = difference(before[pair], links[pair]);
    if (name) found[name] = (found[name] ?? 0) + 1;
  }
  return found;
}

// Tokens as one reads them, for the sentences above the columns.
export function sentence(tokens) {
  return tokens
    .join(" ")
    .replace(/ ([.,;:!?…%)\]}”»،؛؟]|['’]\p{L}{1,2}\b|n['’]t\b)/gu, "$1")
    .replace(/([([{“«]) /g, "$1");
}
