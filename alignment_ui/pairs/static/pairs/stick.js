// The parts that stay while a long pair scrolls: tools, status and running text. Their height becomes the page's scroll
// padding, so that a word in focus is never hidden and a drag scrolls the page at the edge of what is seen.

import { h } from "../js/annotate/dom.js";

const HEIGHT = "--stick"; // on the root element

export function createStick(...parts) {
  const element = h("div", { class: "stick" }, parts);
  const observer = new ResizeObserver(() => {
    document.documentElement.style.setProperty(HEIGHT, `${element.offsetHeight}px`);
  });
  observer.observe(element);
  return {
    element,
    destroy() {
      observer.disconnect();
      document.documentElement.style.removeProperty(HEIGHT);
    },
  };
}
