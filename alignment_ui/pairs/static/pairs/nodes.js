// The nodes of one side as a list box with one tab stop. Arrow keys move the focus, and selected nodes are marked as
// selected. A picture contains only text.

import { h } from "../js/annotate/dom.js";

export function createNodes(texts, { label, language, direction, still, picture }) {
  const box = {
    role: "listbox",
    "aria-multiselectable": "true",
    "aria-label": label,
    "aria-readonly": still ? "true" : null,
  };
  const roles = picture ? {} : box;
  const options = texts.map((text) => h("div", { class: "tok", role: picture ? null : "option" }, text));
  const element = h("div", { class: "toks", lang: language, dir: direction || "auto", ...roles }, options);
  if (!picture) rove(0);

  function rove(index) {
    options.forEach((option, at) => option.setAttribute("tabindex", at === index ? 0 : -1));
  }

  return {
    element,
    options,
    rove,
    indexOf: (target) => options.indexOf(target?.closest?.(".tok")),

    focus(index) {
      rove(index);
      options[index].focus();
    },

    // of(index): {name, loose}: the text for screen readers, and whether the node has no link
    describe(of) {
      options.forEach((option, index) => {
        const { name, loose } = of(index);
        option.classList.toggle("loose", loose);
        if (name) option.setAttribute("aria-label", name);
      });
    },

    // Sets of indexes: selected, highlighted, and linked to highlighted nodes.
    mark({ selected, on, mates }) {
      options.forEach((option, index) => {
        if (!picture) option.ariaSelected = selected.has(index);
        option.classList.toggle("on", on.has(index));
        option.classList.toggle("mate", mates.has(index));
      });
    },

    aim(index) {
      options.forEach((option, at) => option.classList.toggle("aim", at === index));
    },

    // The number of each numbered node, by index.
    number(numbers) {
      options.forEach((option, index) => {
        option.classList.toggle("match", numbers.has(index));
        if (numbers.has(index)) option.dataset.n = String(numbers.get(index));
        else delete option.dataset.n;
      });
    },

    source(index) {
      options.forEach((option, at) => option.classList.toggle("source", at === index));
    },

    markSame: (index) => options[index].classList.add("same"),
  };
}
