// One answer as a still picture: both sentences in columns, with the links between them.

import { h } from "../js/annotate/dom.js";
import { withBlocks } from "./blocks.js";
import { createBoard } from "./board.js";
import { drawn, linksOf } from "./kinds.js";
import { createState } from "./state.js";

// Returns the element. Screen readers read the list of links.
export function createPicture(value, { texts, labels, languages, direction, wording }) {
  const links = linksOf(value);
  const board = createBoard(createState(links, {}), { texts, labels, languages, direction });
  board.draw(withBlocks(drawn(links)));
  const named = Object.keys(links).map((pair) => h("li", {}, wording.pair(pair, { links, suggested: {} })));
  return h("div", { class: "stage" }, board.element, h("ul", { class: "sr" }, named));
}
