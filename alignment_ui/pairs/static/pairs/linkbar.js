// The bar of the link or block that is selected: make it sure or possible, or remove it. The bar lies next to the place
// that was pressed; on a phone it lies above the page's foot, and the page scrolls so that the bar hides none of the
// linked words.

import { h, icon, put } from "../js/annotate/dom.js";

const GAP = 14; // px between the place that was pressed and the bar
const LOW = 0.6; // of the window: below this height, the bar lies above the place

// act: put(kind or null)
export function createLinkBar(strings, act) {
  const kinds = ["sure", "possible"].map((kind) => button(kind, strings[kind === "sure" ? "Sure" : "Possible"], kind));
  const remove = button("close", strings.remove, null);
  const element = h("div", { class: "linkbar", role: "group", hidden: true }, kinds, remove);
  // A press in the bar does not count as a press on the board below it, and does not move the focus.
  for (const name of ["pointerdown", "pointermove", "pointerup", "contextmenu"])
    element.addEventListener(name, (event) => event.stopPropagation());
  element.addEventListener("mousedown", (event) => event.preventDefault());

  function button(name, text, kind) {
    return h("button", { class: "b", type: "button", onclick: () => act.put(kind) }, icon(name), h("span", {}, text));
  }

  // If the linked words are farther apart than the window is high, the upper word stays visible.
  function uncover(ceiling) {
    const words = [...element.parentElement.querySelectorAll(".tok.mate")].map((word) => word.getBoundingClientRect());
    const covered = Math.max(...words.map(({ bottom }) => bottom)) + GAP - element.getBoundingClientRect().top;
    const room = Math.min(...words.map(({ top }) => top)) - GAP - ceiling;
    if (covered > 0 && room > 0) scrollBy({ top: Math.min(covered, room), behavior: "instant" });
  }

  return {
    element,

    // about: {words, kind}, or null if nothing is selected
    render(about) {
      put(element, "hidden", !about);
      if (!about) return;
      element.setAttribute("aria-label", about.words);
      kinds.forEach((each, at) => each.setAttribute("aria-pressed", String(about.kind === ["sure", "possible"][at])));
    },

    // Place the bar next to a point and inside the board. ceiling: the lower edge of the fixed elements at the top of
    // the window
    place({ x, y }, ceiling) {
      if (getComputedStyle(element).position === "fixed") return uncover(ceiling);
      const { offsetWidth: width, offsetHeight: height } = element;
      const above = element.parentElement.getBoundingClientRect().top + y > LOW * innerHeight;
      element.style.setProperty("--width", `${width}px`);
      element.style.setProperty("--x", `${(x - width / 2).toFixed(0)}px`);
      element.style.setProperty("--y", `${(above ? y - height - GAP : y + GAP).toFixed(0)}px`);
    },
  };
}
