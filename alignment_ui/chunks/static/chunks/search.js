// Navigation with only the keyboard: to the next chunk without a link, and from a chunk to its match by typing.

import { compose, h } from "../js/annotate/dom.js";
import { createFinder } from "../pairs/finder.js";
import { choose as pickUp } from "../pairs/selection.js";
import { block } from "../pairs/state.js";
import { keyOf, linksAt } from "./document.js";
import { nextFrom, unlinked } from "./rules.js";

export function createSearch(state, tools) {
  const { texts, many, strings, wording, linker, connect, choose, show, tell, render, press } = tools;
  let origin = null; // the chunk whose match is looked for
  const mark = (nodes) => linker.mark(nodes.map((node) => [node, node.index + 1]));
  const finder = createFinder({
    strings,
    words: (node) => wording.words(state.document, node),
    act: { mark, take, left: letGo, back: () => linker.focusNode(origin), press },
  });

  // After the chunk in focus, on the same side first.
  function next() {
    const node = nextFrom(linker.focused(), unlinked(state.document, texts));
    if (!node) return tell(strings.noneOpen);
    show("links");
    linker.focusNode(node);
    choose({ node });
  }

  // Start from the selected chunk, from the chunk in focus or, if that chunk has a link or a mark, from the next unlinked
  // chunk.
  function find() {
    origin = originOf(linker.focused());
    if (!origin) return tell(strings.noneOpen);
    const { side } = origin;
    const picked = state.selection[side].size ? [...state.selection[side]] : [origin.index];
    pickUp(state, ...[0, 1].map((at) => (at === side ? picked : [])));
    render();
    const words = h("bdi", {}, picked.map((index) => wording.words(state.document, { side, index })).join(", "));
    const others = state.document.chunks[1 - side].map((_, index) => ({ side: 1 - side, index }));
    finder.open(
      compose(strings.findMatch, { words }),
      others.filter((node) => many || !linksAt(state.document, node).length),
    );
  }

  function originOf(focused) {
    const side = state.selection.findIndex((chosen) => chosen.size);
    if (side >= 0) return { side, index: Math.min(...state.selection[side]) };
    if (focused && (many || isOpen(focused))) return focused;
    const open = unlinked(state.document, texts);
    const firsts = open.filter((node) => !node.side);
    return nextFrom(focused, firsts.length ? firsts : open);
  }

  function isOpen(node) {
    return !linksAt(state.document, node).length && !state.document.left[keyOf(node)];
  }

  function take(node) {
    const [own, other] = [[...state.selection[1 - node.side]], [node.index]];
    pickUp(state);
    connect(node.side ? block(own, other) : block(other, own), "key");
  }

  function letGo() {
    pickUp(state);
    render();
  }

  return { element: finder.element, next, find };
}
