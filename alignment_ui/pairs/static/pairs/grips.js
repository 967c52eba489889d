// The ends of a link that annotators can drag to another node: a finger takes the grips of the selected link, and the
// mouse takes the nearest end of any link.

import { h, put } from "../js/annotate/dom.js";

const END = 16; // px: the mouse takes the end of a link within this distance

export function createGrips(state) {
  const elements = [0, 1].map((side) => h("div", { class: "grip", hidden: true, "data-side": side }));

  // Put the grips at the ends of the curve, or hide the grips if there is no curve.
  function place(curve) {
    elements.forEach((grip, side) => {
      put(grip, "hidden", !curve);
      if (!curve) return;
      const { x, y } = side ? curve.to : curve.from;
      grip.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    });
  }

  // The end of a link that a press would move, as {pair, side}, or null.
  function endAt(scene, { target, pointerType }, point) {
    const grip = target.closest?.(".grip");
    if (grip) return { pair: state.selected[0], side: Number(grip.dataset.side) };
    const end = pointerType === "mouse" ? scene.endAt(point, END) : null;
    return end && state.links[end.pair] ? end : null;
  }

  return { elements, place, endAt };
}
