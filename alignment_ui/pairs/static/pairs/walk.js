// The keys of the board: arrow keys, Home and End move the focus, Shift extends the selection, Space selects a node,
// Enter links the selected nodes, and Escape ends the selection.

import { both, extend, pick } from "./selection.js";

// Return a function that handles a key on a node, and returns whether the key had an effect. lengths: the numbers of
// nodes on both sides. step and nothing: the functions of the board that show a step of the selection or its end.
export function createWalk(state, { scene, sides, lengths, still, step, nothing }) {
  return function walk(node, { key, shiftKey }) {
    if (!still && key === " ") return step(pick(state, node), "key", shiftKey);
    if (key === "Escape") return nothing();
    if (key === "Enter") {
      const pairs = both(state);
      return pairs !== null && step(pairs, "key", shiftKey);
    }
    const next = destination(node, key);
    if (!next) return key.startsWith("Arrow");
    if (!still && shiftKey && next.side === node.side)
      step(extend(state, next, state.selection[node.side].size ? state.anchor : node));
    sides[next.side].focus(next.index);
    return true;
  };

  function destination(node, key) {
    if (key.startsWith("Arrow")) return scene.neighbour(node, key);
    return { Home: { ...node, index: 0 }, End: { ...node, index: lengths[node.side] - 1 } }[key];
  }
}
