// Both sentences as running text above the columns. A chunk under the pointer is highlighted on the board, and
// highlighted chunks of the board are highlighted in the text. Screen readers read plain.js instead, which exists in
// both steps.

import { h } from "../js/annotate/dom.js";
import { ends } from "../pairs/state.js";
import { chunkWith, linksAt } from "./document.js";

// lit(node or null): called with the chunk under the pointer
export function createReading(texts, { languages, direction, lit }) {
  const sentences = texts.map((tokens) =>
    tokens.map((token, index) => h("span", { "data-token": index }, token, index + 1 < tokens.length ? " " : "")),
  );
  const paragraphs = sentences.map((words, side) =>
    h("p", { class: "sent", "aria-hidden": "true", lang: languages[side], dir: direction || "auto" }, words),
  );
  const element = h("div", { class: "texts" }, paragraphs);
  let drawn = null; // the document
  element.addEventListener("pointerover", ({ target }) => drawn && lit(nodeOf(target)));
  element.addEventListener("pointerleave", () => lit(null));

  function nodeOf(target) {
    const side = paragraphs.findIndex((paragraph) => paragraph.contains(target));
    const token = target.dataset.token;
    if (side < 0 || token === undefined) return null;
    const index = chunkWith(drawn, { side, index: Number(token) });
    return index < 0 ? null : { side, index };
  }

  // The chunk itself and its counterparts are highlighted, from either end of a link.
  function light(shown) {
    const pairs = shown?.pair ? [shown.pair] : shown?.node ? linksAt(drawn, shown.node) : [];
    const mates = new Set(pairs.flatMap((pair) => ends(pair).map((index, side) => `${side}-${index}`)));
    const own = shown?.node ? `${shown.node.side}-${shown.node.index}` : "";
    sentences.forEach((words, side) =>
      words.forEach((word, index) => {
        const key = `${side}-${chunkWith(drawn, { side, index })}`;
        word.classList.toggle("on", key === own);
        word.classList.toggle("mate", key !== own && mates.has(key));
      }),
    );
  }

  return {
    element,
    light,
    draw: (document) => (drawn = document),
  };
}
