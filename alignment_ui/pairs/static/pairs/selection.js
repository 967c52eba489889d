// What is picked up. Press and press is one case of it: a node pressed while others are picked up on the other side is
// to be linked with all of them. Functions that complete a block return its pairs and let go; the others return null.

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

// The first press picks up, again lets go, and one on the other side makes a block.
export function pick(state, node) {
  const { side, index } = node;
  if (state.selection[1 - side].size) return blockTo(state, node, [...state.selection[1 - side]]);
  const alone = state.selection[side].size === 1 && state.selection[side].has(index);
  state.anchor = node;
  return only(state, side, alone ? [] : [index]);
}

// All from the node where picking up began to this one.
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

// What is dragged, or the node it was dragged from alone, with what it was dropped on.
export function drop(state, from, to) {
  return blockTo(state, to, withChosen(state, from));
}

// Both sides' picked-up nodes with each other; null where a side has none.
export function both(state) {
  const [firsts, seconds] = state.selection;
  return firsts.size && seconds.size ? letGo(state, block([...firsts], [...seconds])) : null;
}

function blockTo(state, node, others) {
  const own = withChosen(state, node);
  return letGo(state, node.side ? block(others, own) : block(own, others));
}

// A node with what is picked up beside it, or alone.
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
