// The nodes of one side as a list box with one tab stop. Arrow keys move the focus, and selected nodes are marked as
// selected. A picture contains only text.

import { h } from "../js/annotate/dom.js";
import { changed } from "./state.js";

const [FROM, TO] = [0.2, 0.75]; // of the window: between these, the neighbours of a node are seen too

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
  for (const option of picture ? [] : options) option.tabIndex = -1;
  let stop = 0; // the option at which Tab stops
  let marked = { selected: new Set(), on: new Set(), mates: new Set() };
  if (!picture) {
    rove(0);
    for (const option of options) option.ariaSelected = "false";
  }

  function rove(index) {
    options[stop].tabIndex = -1;
    options[index].tabIndex = 0;
    stop = index;
  }

  // A function that moves a class to the node with an index, or away from all nodes if there is none.
  function single(name) {
    let at = -1;
    return (index) => {
      if (index === at) return;
      options[at]?.classList.remove(name);
      options[index]?.classList.add(name);
      at = index;
    };
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

    // Bring a node to the middle of the window if it is near an edge.
    follow(index) {
      const { top } = options[index].getBoundingClientRect();
      if (top < innerHeight * FROM || top > innerHeight * TO)
        options[index].scrollIntoView({ block: "center", behavior: "instant" });
    },

    // of(index): {name, loose}: the text for screen readers, and whether the node has no link. indexes: of all nodes, or
    // of those that have changed
    describe(of, indexes = [...options.keys()]) {
      for (const index of indexes) {
        const { name, loose } = of(index);
        options[index].classList.toggle("loose", loose);
        if (name) options[index].ariaLabel = name;
      }
    },

    // Sets of indexes: selected, highlighted, and linked to highlighted nodes.
    mark({ selected, on, mates }) {
      if (!picture)
        for (const index of changed(marked.selected, selected))
          options[index].ariaSelected = String(selected.has(index));
      for (const index of changed(marked.on, on)) options[index].classList.toggle("on", on.has(index));
      for (const index of changed(marked.mates, mates)) options[index].classList.toggle("mate", mates.has(index));
      marked = { selected: new Set(selected), on: new Set(on), mates: new Set(mates) };
    },

    aim: single("aim"),

    // The number of each numbered node, by index.
    number(numbers) {
      options.forEach((option, index) => {
        option.classList.toggle("match", numbers.has(index));
        if (numbers.has(index)) option.dataset.n = String(numbers.get(index));
        else delete option.dataset.n;
      });
    },

    source: single("source"),

    markSame: (index) => options[index].classList.add("same"),
  };
}
