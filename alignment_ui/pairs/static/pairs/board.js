// The two sides with the links between them: in two rows if each side fits on one line, and otherwise in two columns.
// The board shows a state, lets nodes be selected and dragged, and reports the pairs to link. The task type defines
// what links mean.

import { h, targetOf } from "../js/annotate/dom.js";
import { createDrawing, createTie, svg } from "./drawing.js";
import { createGrips } from "./grips.js";
import { blockIn, highlight } from "./highlight.js";
import { createLasso } from "./lasso.js";
import { createNodes } from "./nodes.js";
import { listenToPointer } from "./pointer.js";
import { createScene } from "./scene.js";
import { choose, drop, extend, pick, toggle } from "./selection.js";
import { byEnd, ends, sameNode, touches } from "./state.js";
import { createWalk } from "./walk.js";

const PHONE = "(max-width: 40rem)";
const PAPER = matchMedia("print"); // the page for print has another width
const SIDES = [0, 1];
const REST = 450; // ms on the last of several nodes, like a long press, after which a drag takes them all to the other side

// texts, labels: of both sides; still: nothing can be changed. on: join(pairs, via, possible), press(pair, point,
// pairs), turn(pairs), look(possible) of a link being drawn, lit(), and optionally move(pair, to), which moves an end
// of a link, letGo(), and scrolled(), after a drag that has scrolled the page. `possible`: Shift is held. Without `on` it
// is a picture, in columns. tags: a layer over the links, {element, lay(shown, curves), light(pairs or null)}. texts may
// be nodes. wide: a picture can have rows.
export function createBoard(
  state,
  { texts, labels, languages, direction, still = false, on = null, tags = null, wide = Boolean(on) },
) {
  const sides = SIDES.map((side) =>
    createNodes(texts[side], { label: labels[side], language: languages[side], direction, still, picture: !on }),
  );
  const drawing = createDrawing();
  const rubber = createTie();
  const above = svg("svg", { class: "links above", "aria-hidden": "true" }); // a layer of its own: drawn at once
  const frame = createLasso();
  const grips = createGrips(state);
  const columns = sides.map((side, at) =>
    h("div", { class: "side" }, h("p", { "aria-hidden": "true" }, labels[at]), side.element),
  );
  const element = h(
    "div",
    { class: "board" },
    columns,
    drawing.elements,
    above,
    tags?.element ?? [],
    grips.elements,
    frame.element,
  );
  const scene = createScene(element);
  const phone = matchMedia(PHONE);
  const observer = new ResizeObserver(resized);
  const isFixed = texts.flat().every((text) => typeof text === "string"); // words do not change their sizes, chunks do
  let shown = [];
  let width = 0;
  let isMeasured = false;
  const described = new Map(); // pair → the link with which its nodes were described last
  let lighted = { on: [new Set(), new Set()], mates: [new Set(), new Set()] };
  let aimed = null; // where a link being dragged would end
  let held = null; // the selection, and the node at which the drag began
  let resting = 0; // the timer of a drag that rests on a node of its own side
  let isWhole = false; // whether the drag takes the selected nodes to the other side
  const walk = createWalk(state, { scene, sides, lengths: texts.map(({ length }) => length), still, step, nothing });
  const stop = on ? listen() : () => {};
  observer.observe(element);
  PAPER.addEventListener("change", arrange);
  document.fonts?.ready.then(() => element.isConnected && arrange());

  // ── display ──────────────────────────────────────────────────────────────────────────────────────────────────
  function resized(/** @type {ResizeObserverEntry[]} */ [{ contentRect }]) {
    if (contentRect.width === width) return;
    width = contentRect.width;
    arrange();
  }

  function arrange() {
    const looks = wide && !phone.matches ? ["rows", "rows tight"] : [];
    const rows = looks.find((look) => {
      put(look);
      return sides.every((side) => side.element.offsetWidth <= element.clientWidth);
    });
    if (!rows) put("columns");
    measure();
    lay();
  }

  // Classes instead of `:has`, which the browser would match again on each change of a link.
  function put(look) {
    element.className = `board ${look}`;
    element.closest(".align")?.classList.toggle("in-rows", look !== "columns");
  }

  function measure() {
    scene.measure(
      sides.map(({ options }) => options),
      element.classList.contains("rows"),
    );
    isMeasured = true;
  }

  function lay() {
    if (!isMeasured || !isFixed) measure();
    const curves = drawing.draw(shown, scene);
    tags?.lay(shown, curves);
    light();
  }

  // links: [{pair, look, mark}] from the lowest to the highest; name(node): the text for screen readers
  function draw(links, name) {
    shown = links;
    const linked = byEnd(Object.keys(state.links));
    const outdated = stale();
    const isNew = !described.size || !isFixed;
    for (const side of SIDES)
      sides[side].describe(
        (index) => ({ name: name?.({ side, index }), loose: !linked[side].has(index) }),
        isNew ? undefined : outdated.map((pair) => ends(pair)[side]),
      );
    for (const pair of outdated)
      if (state.links[pair]) described.set(pair, state.links[pair]);
      else described.delete(pair);
    lay();
  }

  // The pairs whose links have changed since the nodes were described.
  function stale() {
    const gone = [...described.keys()].filter((pair) => !state.links[pair]);
    return gone.concat(Object.keys(state.links).filter((pair) => described.get(pair) !== state.links[pair]));
  }

  // The selected nodes are highlighted with their links, or otherwise the node under the pointer or in focus. All other
  // links are dimmed.
  function light() {
    const { any, chosen, pairs, mates } = highlight(state, shown);
    const selected = state.selected ?? [];
    element.classList.toggle("lit", any);
    drawing.light(any ? pairs : null, selected);
    tags?.light(any ? pairs : null);
    const picked = state.selection.map(({ size }) => size > 0);
    for (const side of SIDES) {
      sides[side].mark({ selected: state.selection[side], on: chosen[side], mates: mates[side] });
      columns[side].classList.toggle("asked", picked[1 - side] && !picked[side]);
    }
    lighted = { on: chosen, mates };
    grips.place(selected.length === 1 && on?.move && !still ? scene.curveOf(selected[0]) : null);
    on?.lit();
  }

  function lightUp(lit) {
    if (lit?.pair === state.lit?.pair && sameNode(lit?.node, state.lit?.node)) return;
    state.lit = lit;
    light();
  }

  // ── input ────────────────────────────────────────────────────────────────────────────────────────────────────
  function listen() {
    element.addEventListener("keydown", (event) => {
      const node = nodeOf(event.target);
      const held = event.ctrlKey || event.metaKey || event.altKey;
      if (node && !held && walk(node, event)) event.preventDefault();
    });
    element.addEventListener("focusin", (event) => {
      const node = nodeOf(event.target);
      if (node && !sameNode(node, state.lit?.node))
        lightUp(targetOf(event).matches(":focus-visible") ? { node } : null);
    });
    element.addEventListener("focusout", ({ relatedTarget }) => nodeOf(relatedTarget) || lightUp(null));
    const ending = on.move ? { endAt: grips.endAt.bind(null, scene), pull, pulled } : {};
    const acts = {
      tap,
      press,
      turn,
      nothing,
      lift,
      drag,
      drop: dropped,
      lasso,
      lassoed,
      giveUp,
      scrolled: on.scrolled,
      ...ending,
    };
    return listenToPointer(element, scene, { nodeOf, hover, ...(still ? {} : acts) });
  }

  // Handle a step of the selection: link the pairs that are complete, or show the selection.
  function step(pairs, via, possible = false) {
    if (pairs) on.join(pairs, via, possible);
    else light();
    return true;
  }

  function hover(node, pair) {
    lightUp(node ? { node } : pair ? { pair } : null);
  }

  function tap(node, { shiftKey, ctrlKey, metaKey }) {
    on.letGo?.();
    sides[node.side].rove(node.index);
    step((shiftKey ? extend : ctrlKey || metaKey ? toggle : pick)(state, node), "tap");
  }

  function press(pair, point) {
    on.press(pair, point, blockIn(shown, pair));
    if (!state.links[pair]) lightUp(null);
  }

  function turn(node, pair) {
    on.turn(pair ? blockIn(shown, pair) : linksOf(node));
  }

  function nothing() {
    choose(state);
    on.letGo?.();
    return step(null);
  }

  // After a long press of a finger, the drag can begin in any direction.
  function lift(node) {
    markSource(node);
  }

  function markSource(node) {
    for (const side of SIDES) sides[side].source(node?.side === side ? node.index : -1);
  }

  // A drag along its own side selects nodes. A drag towards the other side draws a link, and other nodes on the way are
  // deselected, unless the drag has rested on the last of them.
  function drag(node, point, target, possible) {
    const moved = !sameNode(target, aimed);
    held ??= { selection: state.selection, anchor: state.anchor };
    const isBack = sameNode(target, node);
    const isAlong = target?.side === node.side;
    if (isBack) isWhole = false;
    markSource(node);
    if (moved) clearTimeout(resting);
    if (moved) aim(target);
    if (isAlong && !isBack) {
      if (moved && !isWhole) step(extend(state, target, node));
      if (moved) resting = setTimeout(takeAll, REST, node, target, point, possible);
    } else if (state.selection !== held.selection && !isWhole) {
      Object.assign(state, held);
      light();
    }
    if (isAlong && !isWhole) return above.replaceChildren();
    stretch(scene.port(node), target && !isAlong ? scene.port(target) : point, on.look(possible));
  }

  function takeAll(node, last, point, possible) {
    isWhole = true;
    step(extend(state, last, node));
    stretch(scene.port(node), point, on.look(possible));
  }

  function stretch(from, to, look) {
    rubber.show({ ...scene.curve(from, to), from, to }, look);
    if (!rubber.group.isConnected) above.append(rubber.group);
  }

  function pull({ pair, side }, point, target) {
    const to = target?.side === side ? target : null;
    const stays = { side: 1 - side, index: ends(pair)[1 - side] };
    aim(to);
    markSource(stays);
    stretch(scene.port(stays), to ? scene.port(to) : point, state.links[pair].kind);
  }

  function pulled({ pair, side }, target) {
    endDrag();
    if (target?.side !== side || touches(pair, target)) return;
    const to = ends(pair).map((index, at) => (at === side ? target.index : index));
    on.move(pair, to.join("-"));
  }

  // Nodes with the numbers that choose them: [node, number].
  function number(numbered) {
    for (const side of SIDES)
      sides[side].number(new Map(numbered.flatMap(([node, n]) => (node.side === side ? [[node.index, n]] : []))));
  }

  function aim(node) {
    aimed = node;
    for (const side of SIDES) sides[side].aim(node?.side === side ? node.index : -1);
  }

  function dropped(node, target, possible) {
    endDrag();
    if (target && target.side !== node.side) step(drop(state, node, target), "drag", possible);
  }

  // Escape, a second finger or the browser has cancelled the drag: nothing is linked, and the previous selection is
  // restored.
  function giveUp() {
    const before = held;
    frame.hide();
    endDrag();
    if (before) Object.assign(state, before);
    light();
  }

  function endDrag() {
    aim(null);
    markSource(null);
    held = null;
    clearTimeout(resting);
    isWhole = false;
    above.replaceChildren();
  }

  function lasso(from, to) {
    held ??= { selection: state.selection, anchor: state.anchor };
    frame.show(from, to);
    const inside = scene.nodesIn(from, to);
    choose(state, ...SIDES.map((side) => inside.filter((node) => node.side === side).map(({ index }) => index)));
    light();
  }

  function lassoed() {
    frame.hide();
    held = null;
    const side = SIDES.find((number) => state.selection[number].size);
    if (side !== undefined) sides[side].focus(Math.min(...state.selection[side])); // for Enter
  }

  function nodeOf(target) {
    for (const side of SIDES) {
      const index = sides[side].indexOf(target);
      if (index >= 0) return { side, index };
    }
    return null;
  }

  // The links of a node, each with the rest of its block.
  function linksOf(node) {
    const own = Object.keys(state.links).filter((pair) => touches(pair, node));
    return [...new Set(own.flatMap((pair) => blockIn(shown, pair)))];
  }

  return {
    element,
    draw,
    light,
    lightUp,
    linksOf,
    aim,
    number,
    blockOf: (pair) => blockIn(shown, pair),
    marks: () => lighted,
    tap,
    focus: (node) => sides[node.side].focus(node.index),
    follow: (node) => sides[node.side].follow(node.index),
    focused: () => nodeOf(document.activeElement),
    markSame: (pairs) => pairs.map(ends).forEach((pair) => SIDES.forEach((side) => sides[side].markSame(pair[side]))),
    destroy() {
      observer.disconnect();
      PAPER.removeEventListener("change", arrange);
      stop();
    },
  };
}
