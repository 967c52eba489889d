// Descriptions of an alignment in words, for the line below the alignment, for cells and for screen readers.

import { compose, counted, h, say } from "../js/annotate/dom.js";
import { byEnd, difference, ends, touches } from "./state.js";

const WITH = { possible: "possibleWith", sure: "sureWith" };
const CHANGES = { added: "addedByYou", removed: "suggestionRemoved", changed: "changedByYou" };

export function createWording(texts, strings) {
  // "the", or "the (2 of 3)" if the sentence contains the word several times
  const named = texts.map(() => []);
  const word = ({ side, index }) => (named[side][index] ??= nameOf(side, index));
  const nameOf = (side, index) => {
    const text = texts[side][index];
    const places = texts[side].flatMap((each, at) => (each === text ? [at] : []));
    if (places.length === 1) return isolated(text);
    return say(strings.occurrence, { word: isolated(text), n: places.indexOf(index) + 1, total: places.length });
  };
  const bare = ({ side, index }) => h("bdi", {}, texts[side][index]);
  const groups = (pairs) => [0, 1].map((side) => [...new Set(pairs.map((pair) => ends(pair)[side]))]);
  // "he – she", and of a block "put off – postponed"
  const pairWords = (pairs) =>
    groups(pairs)
      .map((indexes, side) => indexes.map((index) => word({ side, index })).join(" "))
      .join(" – ");
  const pairElements = (pairs) =>
    groups(pairs).flatMap((indexes, side) => [
      side ? " – " : "",
      ...indexes.flatMap((index, at) => [at ? " " : "", bare({ side, index })]),
    ]);
  const partner = (pair, { side }) => ({ side: 1 - side, index: ends(pair)[1 - side] });

  // "1 link", "3 links"
  function count(name, n) {
    return counted(strings[name], n);
  }

  // A node's links, sure ones last, as [{kind, nodes}]. own: their pairs
  function partners(links, node, own = Object.keys(links).filter((pair) => touches(pair, node))) {
    return ["possible", "sure"]
      .map((kind) => ({ kind, pairs: own.filter((pair) => links[pair].kind === kind) }))
      .filter(({ pairs }) => pairs.length)
      .map(({ kind, pairs }) => ({ kind, nodes: pairs.map((pair) => partner(pair, node)) }));
  }

  // "sure, as suggested"
  function kindOf(pair, { links, suggested }, proposed = {}) {
    const [link, before] = [links[pair], suggested[pair]];
    const by = proposed[pair]?.by;
    const change = Object.keys(suggested).length ? difference(before, link) : "";
    const origin = change ? strings[CHANGES[change]] : link && before ? strings.asSuggested : "";
    const what = [
      link ? strings[link.kind] : change ? "" : strings.notLinked,
      origin,
      by && say(strings.drawnBy, { by }),
    ].filter(Boolean);
    return what.join(", ");
  }

  return {
    // "he – she: sure, as suggested"
    pair: (pair, state, proposed) => `${pairWords([pair])}: ${kindOf(pair, state, proposed)}`,

    // "he – she", "put off – postponed"
    pairs: pairWords,

    // Of each node, "cost: possible with expensive".
    nodes({ links }) {
      const pairsAt = byEnd(Object.keys(links));
      return (node) => {
        const found = partners(links, node, pairsAt[node.side].get(node.index) ?? []).map(({ kind, nodes }) =>
          say(strings[WITH[kind]], { words: nodes.map(word).join(", ") }),
        );
        return `${word(node)}: ${found.join("; ") || strings.noMatch}`;
      };
    },

    // The same description with highlighted words, for the line below the board.
    nodeLine(node, { links }) {
      const found = partners(links, node).map(({ kind, nodes }) =>
        compose(strings[WITH[kind]], { words: nodes.flatMap((each, at) => [at ? ", " : "", h("i", {}, bare(each))]) }),
      );
      return [
        h("b", {}, bare(node), ": "),
        found.length ? found.flatMap((part, at) => [at ? ", " : "", part]) : strings.noMatch,
        ". ",
      ];
    },

    // A link or a block with highlighted words.
    pairsLine: (pairs, state, proposed) => [
      h("b", {}, pairElements(pairs), ": "),
      `${kindOf(pairs[0], state, proposed)}. `,
    ],

    // "17 links, 4 possible; 1 word unmatched; 3 added, 2 removed"
    // loose: the number of words without a link
    totals({ links, suggested }, loose) {
      const pairs = Object.keys(links);
      const possible = pairs.filter((pair) => links[pair].kind === "possible").length;
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

    // The effect of a change: "he – she: sure", "6 links: possible"
    done(pairs, outcome) {
      const what = pairs.length === 1 ? pairWords(pairs) : count("links", pairs.length);
      return `${what}: ${outcome}`;
    },

    count,
    // The selection and the next step, or "" if nothing is selected or another node is highlighted.
    chosen([firsts, seconds], otherLit) {
      if (firsts.size && seconds.size) return say(strings.blockReady, { n: firsts.size, m: seconds.size });
      const side = firsts.size ? 0 : 1;
      const indexes = [...(side ? seconds : firsts)].sort((a, b) => a - b);
      if (!indexes.length || otherLit) return "";
      const words = indexes.flatMap((index, at) => [at ? " " : "", h("i", {}, bare({ side, index }))]);
      return compose(strings.pickedUp, { words });
    },
  };
}

// The digits and punctuation marks that Arabic shares with other scripts are included: two numbers in Arabic digits would
// otherwise change places with the dash between them.
const RIGHT_TO_LEFT =
  /[\p{Script_Extensions=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

// A word inside a sentence of the page, in the characters FSI and PDI, so that neither changes the order of the other. On
// pages from left to right, only words from right to left need this; the page may be in either direction.
export function isolated(text) {
  const needed = RIGHT_TO_LEFT.test(text) || document.documentElement.dir === "rtl";
  return needed ? `\u2068${text}\u2069` : text;
}

// The pairs of identical words, ignoring case and excluding punctuation.
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

// Whether there is a space between two tokens.
export function spaced(before, after) {
  return !/^([.,;:!?…%)\]}”»،؛؟]|['’]\p{L}{1,2}$|n['’]t$)/u.test(after) && !/[([{“«]$/.test(before);
}
