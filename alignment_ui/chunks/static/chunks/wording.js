// Descriptions of an annotation in words, for the status line and for screen readers.

import { compose, form, h, say } from "../js/annotate/dom.js";
import { ends } from "../pairs/state.js";
import { isolated } from "../pairs/wording.js";
import { chunkWith, keyOf, linksAt, pieces } from "./document.js";
import { isFinalMark } from "./rules.js";

const GAP = " … ";

const BRIEF = 2; // words

export function createWording(texts, strings, many) {
  const needed = { both: strings.needsBoth, type: strings.needsType, score: strings.needsScore };
  // Every chunk is isolated, because a chunk is shown inside sentences and lists of the page.
  const tokensInWords = (side, tokens) =>
    isolated(
      pieces(tokens)
        .map((piece) => piece.map((token) => texts[side][token]).join(" "))
        .join(GAP),
    );
  const words = ({ chunks }, { side, index }) => tokensInWords(side, chunks[side][index] ?? []);
  // "the", or "the (2 of 3)" if the sentence contains the word or the chunk several times
  function numbered(all, index, text) {
    const places = all.flatMap((each, at) => (each === all[index] ? [at] : []));
    if (places.length < 2) return text;
    return say(strings.occurrence, { word: text, n: places.indexOf(index) + 1, total: places.length });
  }
  const both = (document, pair) => ends(pair).map((index, side) => words(document, { side, index }));

  // The words of both sides of a link or of a block: ["two men, him", "a crew, a man"].
  function sides(document, pairs) {
    return [0, 1].map((side) => {
      const indexes = [...new Set(pairs.map((pair) => ends(pair)[side]))];
      return indexes.map((index) => words(document, { side, index })).join(", ");
    });
  }

  // "SPE1, FACT, 4"
  function judgement({ type, flags, score }) {
    return [type ?? strings.noType, ...flags, score ?? strings.noScore].join(", ");
  }

  return {
    words,
    sides,
    links: (document, pairs) => sides(document, pairs).join(" – "),
    // What a screen reader hears after a change must be short: "an elderly … – a man"
    brief,
    briefly: (document, pairs) => sides(document, pairs).map(brief).join(" – "),
    tokens: tokensInWords,
    judgement,

    // "an elderly man – a man"
    pair: (document, pair) => both(document, pair).join(" – "),

    // behind a label: "an elderly man – a man, FACT"
    label: (document, pairs) => [sides(document, pairs).join(" – "), ...document.links[pairs[0]].flags].join(", "),

    // "an elderly man: SPE1, 4, with a man"
    node(document, node) {
      const found = linksAt(document, node).map((pair) =>
        say(strings.linkedWith, {
          judgement: judgement(document.links[pair]),
          words: both(document, pair)[1 - node.side],
        }),
      );
      const open = isFinalMark(texts, document, node) ? strings.needsNoLink : strings.unlinked;
      const left = document.left[keyOf(node)] ?? (many ? "NOALI" : open);
      const all = document.chunks[node.side].map((_, index) => words(document, { ...node, index }));
      return `${numbered(all, node.index, words(document, node))}: ${found.join("; ") || left}`;
    },

    // "elderly: in the chunk “an elderly man”"
    token(document, node) {
      const chunk = chunkWith(document, node);
      const where =
        chunk < 0 ? strings.inNoChunk : say(strings.inChunk, { words: words(document, { ...node, index: chunk }) });
      const all = texts[node.side];
      return `${numbered(all, node.index, isolated(all[node.index]))}: ${where}`;
    },

    // The first missing step, in one sentence.
    refusal(document, first) {
      const { token, pair, node } = first;
      if (token) return say(strings.putInChunk, { word: isolated(texts[token.side][token.index]) });
      if (pair) return say(needed[first.needs], { link: both(document, pair).join(" – ") });
      return say(form(strings.openChunks, 1), { chunk: words(document, node) });
    },

    // The missing steps as nodes, with the first position highlighted.
    missing(document, open) {
      const [tokens, links, nodes] = ["token", "needs", "node"].map((part) => open.filter((one) => one[part]));
      if (!open.length) return [];
      if (tokens.length) return inNoChunk(tokens);
      const total = Object.keys(document.links).length;
      /** @type {(string | Node | (string | Node)[])[]} */
      const done = total ? [say(strings.done, { n: total - links.length, total })] : [];
      if (links.length) {
        const link = both(document, links[0].pair).map((text, at) => [at ? " – " : "", h("bdi", {}, h("i", {}, text))]);
        done.push(" ", compose(needed[links[0].needs], { link: h("span", {}, link) }));
      }
      if (nodes.length) {
        const chunk = h("bdi", {}, h("i", {}, words(document, nodes[0].node)));
        done.push(total ? " " : "", compose(form(strings.openChunks, nodes.length), { n: nodes.length, chunk }));
      }
      return done;
    },
  };

  function brief(text) {
    const all = text.split(" ");
    return all.length > BRIEF ? isolated(`${all.slice(0, BRIEF).join(" ")}${GAP.trimEnd()}`) : text;
  }

  function inNoChunk(tokens) {
    const first = tokens.slice(0, 3).map(({ token: { side, index } }) => isolated(texts[side][index]));
    const names = h("bdi", {}, h("i", {}, first.join(", ") + (tokens.length > first.length ? " …" : "")));
    return compose(form(strings.openWords, tokens.length), { n: tokens.length, words: names });
  }
}
