// The frame that selects the nodes inside it.

import { h } from "../js/annotate/dom.js";

export function createLasso() {
  const element = h("div", { class: "lasso", hidden: true });

  function show(from, to) {
    element.hidden = false;
    element.style.left = `${Math.min(from.x, to.x)}px`;
    element.style.top = `${Math.min(from.y, to.y)}px`;
    element.style.width = `${Math.abs(to.x - from.x)}px`;
    element.style.height = `${Math.abs(to.y - from.y)}px`;
  }

  function hide() {
    element.hidden = true;
  }

  return { element, show, hide };
}
