// The state of an alignment, and the commands that change it. The state is plain data, and code that changes it must
// redraw it.
//
// A node is {side: 0 or 1, index}. A pair "i-j" is node i of the first side with node j of the second. A link is plain
// data with an origin, "suggested" or "human". The task defines all other properties of a link.

import { same } from "../js/annotate/dom.js";

export function createState(links, suggested) {
  return {
    links: { ...links }, // by pair
    suggested: Object.freeze({ ...suggested }), // the initial links by pair
    undo: [], // commands: lists of {pair, before, after}, a link or null each
    redo: [],
    selection: [new Set(), new Set()], // the indexes of the selected nodes on each side
    anchor: null, // the node at which the selection began
    selected: [], // the pairs of the link or block whose bar is open
    lit: null, // the node or pair under the pointer or in focus: {node}, {pair} or null
  };
}

// Carry out changes, {pair: link or null}, as one command. Returns the changed pairs.
export function change(state, changes) {
  const command = Object.entries(changes)
    .map(([pair, after]) => ({ pair, before: state.links[pair] ?? null, after }))
    .filter(({ before, after }) => !same(before, after));
  if (!command.length) return [];
  state.undo.push(command);
  state.redo = [];
  return apply(state, command, "after");
}

export function undo(state) {
  return step(state, state.undo, state.redo, "before");
}

export function redo(state) {
  return step(state, state.redo, state.undo, "after");
}

function step(state, from, to, which) {
  const command = from.pop();
  if (!command) return [];
  to.push(command);
  return apply(state, command, which);
}

function apply(state, command, which) {
  for (const { pair, [which]: link } of command) {
    if (link) state.links[pair] = link;
    else delete state.links[pair];
  }
  return command.map(({ pair }) => pair);
}

// The difference between a pair and the suggestion: "added", "removed", "changed" or "".
export function difference(before, after) {
  if (before === after) return "";
  if (!before) return after ? "added" : "";
  if (!after) return "removed";
  return same({ ...before, origin: "" }, { ...after, origin: "" }) ? "" : "changed";
}

// Boards ask for the ends of all links on each change, so they are read from the text only once.
const ENDS = new Map();

/** @returns {readonly number[]} */
export function ends(pair) {
  const known = ENDS.get(pair);
  if (known) return known;
  const both = Object.freeze(pair.split("-").map(Number));
  ENDS.set(pair, both);
  return both;
}

export function touches(pair, { side, index }) {
  return ends(pair)[side] === index;
}

/**
 * Return, for each side, the pairs of each node by its index.
 * @param {string[]} pairs
 */
export function byEnd(pairs) {
  const found = [new Map(), new Map()];
  for (const pair of pairs)
    ends(pair).forEach((index, side) => {
      const own = found[side].get(index);
      if (own) own.push(pair);
      else found[side].set(index, [pair]);
    });
  return found;
}

/**
 * Return the members of only one of two sets: what has to be drawn again.
 * @param {Set<number>} before
 * @param {Set<number>} after
 */
export function changed(before, after) {
  return [...before].filter((each) => !after.has(each)).concat([...after].filter((each) => !before.has(each)));
}

export function sameNode(a, b) {
  return a?.side === b?.side && a?.index === b?.index;
}

// Every pair of a block: the nodes of one side with the nodes of the other side.
export function block(firsts, seconds) {
  return firsts.flatMap((i) => seconds.map((j) => `${i}-${j}`));
}

export function inOrder(pairs) {
  return pairs.map(ends).sort(([i, j], [k, l]) => i - k || j - l);
}
