// The parts that stay while a long pair scrolls: tools, status and running text. In low windows, the style sheet places
// the running text above the tools, and it scrolls away. The height of what stays becomes the page's scroll padding, so
// that a word in focus is never hidden and a drag scrolls the page at the edge of what is seen.

import { h } from "../js/annotate/dom.js";

const HEIGHT = "--stick"; // on the root element

// editor: for styles of the page around it, which `:has` would match again on each change of a link
export function createStick(editor, ...parts) {
  const element = h("div", { class: "stick" }, parts);
  const root = document.documentElement;
  root.dataset.editor = editor;
  const observer = new ResizeObserver(() => {
    const [top, first] = [element, parts[0]].map((each) => each.getBoundingClientRect().top);
    const above = first - top - Number.parseFloat(getComputedStyle(element).paddingTop);
    element.style.insetBlockStart = `${-above}px`;
    root.style.setProperty(HEIGHT, `${element.offsetHeight - above}px`);
  });
  observer.observe(element);
  return {
    element,
    destroy() {
      observer.disconnect();
      root.style.removeProperty(HEIGHT);
      delete root.dataset.editor;
    },
  };
}
