// Both sentences as plain text for screen readers. On the board each word is an option of a list box, and the running
// text above the board is not shown at every width, so a screen reader could not read a whole sentence there.

import { h } from "../js/annotate/dom.js";
import { spaced } from "./wording.js";

export function createPlainText(texts, { labels, languages, direction }) {
  const sentences = texts.map((tokens, side) =>
    h(
      "div",
      { role: "group", "aria-label": labels[side] },
      h("p", { lang: languages[side], dir: direction || "auto" }, joined(tokens)),
    ),
  );
  return h("div", { class: "sr" }, sentences);
}

function joined(tokens) {
  return tokens.map((token, at) => (at && spaced(tokens[at - 1], token) ? ` ${token}` : token)).join("");
}
