// Small charts are drawn when they come into view, a few in each frame, so that a page with hundreds of them stays fast.
import { all } from "../annotate/dom.js";
import { drawSpark } from "./sparks.js";

const AT_ONCE = 8; // milliseconds of drawing in one frame

/** @type {HTMLElement[]} */
const waiting = [];

const views = new IntersectionObserver(
  (entries) => {
    const idle = waiting.length === 0;
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      views.unobserve(target);
      waiting.push(/** @type {HTMLElement} */ (target));
    }
    if (idle && waiting.length) requestAnimationFrame(drawSome);
  },
  { rootMargin: "200px" },
);

// A part of the page can be mounted twice before its charts are drawn, so each place is marked when it is first seen.
export function mountSparks(root) {
  for (const place of all("[data-spark]:not([data-mounted])", root)) {
    place.dataset.mounted = "true";
    views.observe(place);
  }
}

function drawSome() {
  const end = performance.now() + AT_ONCE;
  while (waiting.length && performance.now() < end) drawSpark(waiting.shift());
  if (waiting.length) requestAnimationFrame(drawSome);
}
