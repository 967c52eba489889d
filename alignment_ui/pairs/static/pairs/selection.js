// The selected nodes. If a node is pressed while nodes on the other side are selected, the node is linked with all of
// them. Functions that complete a block return its pairs and clear the selection, and all other functions return null.

import { block } from "./state.js";

/**
 * @param {{selection: Set<number>[]}} state
 * @param {Iterable<number>} [firsts]
 * @param {Iterable<number>} [seconds]
 */
export function choose(state, firsts = [], seconds = []) {
  state.selection = [new Set(firsts), new Set(seconds)];
}

export function anythingChosen({ selection }) {
  return selection.some((side) => side.size > 0);
}

// The first press selects a node, a second press deselects the node, and a press on the other side completes a block.
export function pick(state, node) {
  const { side, index } = node;
  if (state.selection[1 - side].size) return blockTo(state, node, [...state.selection[1 - side]]);
  const alone = state.selection[side].size === 1 && state.selection[side].has(index);
  state.anchor = node;
  return only(state, side, alone ? [] : [index]);
}

// All nodes from the start of the selection to this node.
export function extend(state, node, from = state.anchor) {
  const begin = from?.side === node.side ? from.index : node.index;
  state.anchor = { side: node.side, index: begin };
  const [low, high] = [Math.min(begin, node.index), Math.max(begin, node.index)];
  return chooseOn(
    state,
    node.side,
    Array.from({ length: high - low + 1 }, (_, at) => low + at),
  );
}

export function toggle(state, { side, index }) {
  const chosen = new Set(state.selection[side]);
  if (!chosen.delete(index)) chosen.add(index);
  state.anchor = { side, index };
  return chooseOn(state, side, chosen);
}

// The dragged nodes, or only the node at which the drag started, with the target of the drag.
export function drop(state, from, to) {
  return blockTo(state, to, withChosen(state, from));
}

// The pairs of the selected nodes of both sides, or null if a side has no selected nodes.
export function both(state) {
  const [firsts, seconds] = state.selection;
  return firsts.size && seconds.size ? letGo(state, block([...firsts], [...seconds])) : null;
}

function blockTo(state, node, others) {
  const own = withChosen(state, node);
  return letGo(state, node.side ? block(others, own) : block(own, others));
}

// A node with the other selected nodes of its side, or only the node.
function withChosen({ selection }, { side, index }) {
  return selection[side].has(index) ? [...selection[side]] : [index];
}

function chooseOn(state, side, indexes) {
  choose(state, ...state.selection.map((others, number) => (number === side ? indexes : others)));
  return null;
}

function only(state, side, indexes) {
  choose(state, ...[0, 1].map((number) => (number === side ? indexes : [])));
  return null;
}

function letGo(state, pairs) {
  choose(state);
  state.anchor = null;
  return pairs;
}
