// The contents of chunks and labels on a board: words in lines with NOALI or ALIC below, and labels with type and
// score.

import { h } from "../js/annotate/dom.js";
import { ends } from "../pairs/state.js";
import { blockWith } from "./bands.js";
import { keyOf, pieces } from "./document.js";
import { isFinalMark } from "./rules.js";

const LINE = 14; // approximate number of characters in a line: longer chunks take two or three lines
const GAP = " ⋯ ";

// For each side, a list of {element, note} in the order of the chunks.
export function facesOf(chunks, texts) {
  return chunks.map((side, at) =>
    side.map((tokens) => {
      const note = h("small");
      const words = inLines(tokens.map((token) => texts[at][token])).map((line) =>
        h("span", { class: "ln" }, line, " "),
      );
      return {
        element: h("span", { class: "face" }, pieces(tokens).length > 1 ? tied(tokens, texts[at]) : words, note),
        note,
      };
    }),
  );
}

// The pieces of a discontinuous chunk, with a line between the pieces.
function tied(tokens, text) {
  return pieces(tokens).map((piece, at) => [
    at ? h("span", { class: "gap" }, GAP) : null,
    h("span", { class: "piece" }, piece.map((token) => text[token]).join(" ")),
  ]);
}

// Divide the words into at most three lines of similar length.
function inLines(words) {
  const length = words.join(" ").length;
  const wanted = Math.min(3, words.length, length > 2.4 * LINE ? 3 : length > LINE ? 2 : 1);
  const lines = [""];
  for (const word of words) {
    const full = lines.at(-1).length + word.length / 2 > length / wanted;
    if (full && lines.length < wanted && lines.at(-1)) lines.push(word);
    else lines[lines.length - 1] += `${lines.at(-1) && " "}${word}`;
  }
  return lines;
}

// many: unlinked chunks are NOALI automatically. The punctuation marks at the end of a sentence need no link and are
// less prominent. If answers are compared, these marks have no note either, because feedback ignores them.
export function renderFaces(faces, document, { texts, many, chosen, compared = false }) {
  const { left, links } = document;
  faces.forEach((side, at) =>
    side.forEach(({ element, note }, index) => {
      const linked = Object.keys(links).some((pair) => ends(pair)[at] === index);
      const mark = isFinalMark(texts, document, { side: at, index });
      element.classList.toggle("point", mark && !linked);
      const why = left[keyOf({ side: at, index })] ?? (many && !linked ? "NOALI" : "");
      note.textContent = compared && mark ? "" : why;
      const inPair = blockWith(links, chosen?.pair).some((pair) => ends(pair)[at] === index);
      element.classList.toggle(
        "chosen",
        Boolean(inPair || (!chosen?.pair && chosen?.node?.side === at && chosen.node.index === index)),
      );
    }),
  );
}

// The text of a link's label: "SPE1 F | 4", "type?".
export function labelOf(link, strings) {
  const { type, flags, score } = link;
  if (!type && score === null) return [strings.askType];
  const letters = flags.map((flag) => h("small", { title: flag }, flag[0]));
  return [type ?? strings.askType, letters, h("i"), h("b", {}, `${score ?? "?"}`)].flat();
}
