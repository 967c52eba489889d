// The view in which chunks are formed: words of both sentences can be dragged together, joined and split. Lines below
// the words connect the pieces of a chunk.

import { h } from "../js/annotate/dom.js";
import { svg } from "../pairs/drawing.js";
import { createNodes } from "../pairs/nodes.js";
import { listenToPointer } from "../pairs/pointer.js";
import { createScene } from "../pairs/scene.js";
import { choose, extend } from "../pairs/selection.js";
import { chunkWith, pieces } from "./document.js";

const DIP = 9; // px: the distance of a connecting line below its pieces
const SIDES = [0, 1];

// state.selection contains the selected tokens by chunk. on: chunk(side, tokens, via), join(via)
export function createChunker(state, { texts, labels, languages, direction, still, on }) {
  const sides = SIDES.map((side) =>
    createNodes(texts[side], { label: labels[side], language: languages[side], direction, still, picture: false }),
  );
  const ties = svg("svg", { class: "links", "aria-hidden": "true" });
  const blocks = sides.map((side, at) =>
    h("div", { class: "side" }, h("p", { "aria-hidden": "true" }, labels[at]), side.element),
  );
  const element = h("div", { class: "chunker" }, blocks, ties);
  const scene = createScene(element);
  const observer = new ResizeObserver(lay);
  let drawn = { chunks: [[], []] };
  let caret = null; // the word that was pressed or focused last
  observer.observe(element);
  element.addEventListener("keydown", walk);
  element.addEventListener("focusin", ({ target }) => (caret = nodeOf(target) ?? caret));
  const nothing = () => {};
  const acts = { tap, press: nothing, turn: nothing, nothing: letGo, drag, drop, lasso: nothing, lassoed: nothing };
  const stop = listenToPointer(
    element,
    { ...scene, linkAt: () => null },
    { nodeOf, hover: nothing, ...(still ? {} : acts) },
  );

  // ── display ──────────────────────────────────────────────────────────────────────────────────────────────────
  function draw(document, name) {
    drawn = document;
    for (const side of SIDES) {
      const places = document.chunks[side].flatMap(pieces);
      sides[side].describe((index) => ({
        name: name({ side, index }),
        loose: chunkWith(document, { side, index }) < 0,
      }));
      sides[side].options.forEach((option, index) => {
        const piece = places.find((each) => each.includes(index));
        option.classList.toggle("begins", !piece || piece[0] === index);
        option.classList.toggle("ends", !piece || piece.at(-1) === index);
      });
    }
    lay();
    mark();
  }

  function lay() {
    scene.measure(
      sides.map(({ options }) => options),
      false,
    );
    const { left, top } = element.getBoundingClientRect();
    const below = (side, piece) => {
      const [first, last] = [piece[0], piece.at(-1)].map((token) => sides[side].options[token].getBoundingClientRect());
      return {
        x: (Math.min(first.left, last.left) + Math.max(first.right, last.right)) / 2 - left,
        y: last.bottom - top,
      };
    };
    const paths = SIDES.flatMap((side) =>
      drawn.chunks[side].flatMap((tokens) => {
        const places = pieces(tokens).map((piece) => below(side, piece));
        return places.slice(1).map((to, at) => tie(places[at], to));
      }),
    );
    ties.replaceChildren(...paths);
  }

  function mark(range = []) {
    for (const side of SIDES) {
      const on = new Set(range.filter((node) => node.side === side).map(({ index }) => index));
      sides[side].mark({ selected: state.selection[side], on: state.selection[side], mates: on });
    }
  }

  // ── input ────────────────────────────────────────────────────────────────────────────────────────────────────
  function tap(node, { shiftKey }) {
    caret = node;
    sides[node.side].rove(node.index);
    if (shiftKey && state.anchor) pickUpTo(node);
    else toggle(node);
  }

  // A word represents its chunk.
  function toggle(node) {
    const tokens = wholes(node.side, [node.index]);
    const chosen = new Set(state.selection[node.side]);
    for (const token of tokens) if (!chosen.delete(token)) chosen.add(token);
    state.anchor = node;
    choose(state, ...SIDES.map((side) => (side === node.side ? chosen : [])));
    mark();
  }

  function pickUpTo(node) {
    extend(state, node);
    choose(state, ...SIDES.map((side) => (side === node.side ? wholes(side, [...state.selection[side]]) : [])));
    mark();
  }

  function wholes(side, tokens) {
    return tokens.flatMap((index) => drawn.chunks[side][chunkWith(drawn, { side, index })] ?? [index]);
  }

  function letGo() {
    choose(state);
    mark();
    return true;
  }

  function drag(from, _point, to) {
    mark(range(from, to));
  }

  function drop(from, to) {
    const tokens = range(from, to).map(({ index }) => index);
    if (!tokens.length) return mark();
    caret = from;
    choose(state);
    on.chunk(from.side, tokens, "drag");
  }

  function range(from, to) {
    if (to?.side !== from.side) return [];
    const low = Math.min(from.index, to.index);
    return Array.from({ length: Math.abs(from.index - to.index) + 1 }, (_, at) => ({
      side: from.side,
      index: low + at,
    }));
  }

  function walk(event) {
    const node = nodeOf(event.target);
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key, shiftKey } = event;
    const next = key.startsWith("Arrow")
      ? neighbour(node, key)
      : { Home: { ...node, index: 0 }, End: { ...node, index: texts[node.side].length - 1 } }[key];
    if (key === " " && !still) toggle(node);
    else if (key === "Enter" && !still && state.selection.some((side) => side.size)) on.join("key");
    else if (key === "Escape") letGo();
    else if (next) {
      if (shiftKey && !still && next.side === node.side) {
        if (!state.selection[node.side].size) state.anchor = node;
        pickUpTo(next);
      }
      sides[next.side].focus(next.index);
    } else if (!key.startsWith("Arrow")) return;
    event.preventDefault();
  }

  // The next word, or the nearest word of the line above or below.
  function neighbour({ side, index }, key) {
    const here = box({ side, index });
    if (key === "ArrowLeft" || key === "ArrowRight") {
      const runs = getComputedStyle(sides[side].element).direction === "rtl" ? -1 : 1;
      const to = index + (key === "ArrowRight" ? runs : -runs);
      return texts[side][to] === undefined ? null : { side, index: to };
    }
    const sign = key === "ArrowDown" ? 1 : -1;
    const beyond = SIDES.flatMap((at) => texts[at].map((_, number) => ({ side: at, index: number }))).filter(
      (node) => (box(node).y - here.y) * sign > here.height / 2,
    );
    const far = (node) => Math.abs(box(node).y - here.y) * 8 + Math.abs(box(node).x - here.x);
    return beyond.sort((a, b) => far(a) - far(b))[0] ?? null;
  }

  function box({ side, index }) {
    const { left, top, width, height } = sides[side].options[index].getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2, height };
  }

  function nodeOf(target) {
    const side = SIDES.find((at) => sides[at].indexOf(target) >= 0);
    return side === undefined ? null : { side, index: sides[side].indexOf(target) };
  }

  return {
    element,
    draw,
    caret: () => caret,
    focus: ({ side, index }) => sides[side].focus(index),
    destroy() {
      observer.disconnect();
      stop();
    },
  };
}

// The line goes from below one piece to below the next piece, and as a curve to another line.
function tie(from, to) {
  const d =
    from.y === to.y
      ? `M${from.x} ${from.y}v${DIP}H${to.x}v${-DIP}`
      : `M${from.x} ${from.y}C${from.x} ${from.y + 30} ${to.x} ${to.y + 30} ${to.x} ${to.y}`;
  return svg("path", { class: "bond", d });
}
