// The chunks of both sentences with the links between them, on the board of word alignment, with chunks as nodes and
// with labels.

import { h, same } from "../js/annotate/dom.js";
import { createBoard } from "../pairs/board.js";
import { blockWith, pairsOf, shownLinks } from "./bands.js";
import { facesOf, labelOf, renderFaces } from "./faces.js";
import { createPills } from "./pills.js";

const PHONE = "(max-width: 40rem)";
const MARGIN = 12; // px around the elements that must be visible

// on: join(pairs, via), move(pair, to), choose({pair} or {node}), scrolled(), lit(): other chunks stand out
export function createLinker(state, { texts, labels, languages, direction, strings, still, many, on }) {
  const element = h("div", { class: "linker" });
  const isCoarse = matchMedia("(pointer: coarse)");
  let board = null;
  let faces = [];
  let built = null; // the chunks that the board shows
  let pills = null;
  let pressed = null; // the chunk under the finger, until it turns out to be a drag or a link

  function draw(document, wording) {
    if (document.chunks !== built) build(document);
    const { links } = document;
    const shown = shownLinks(links);
    const isChosen = (link) => pairsOf(link).includes(state.chosen?.pair);
    const linkOf = new Map(shown.map((link) => [link.pair, link]));
    renderFaces(faces, document, { texts, many, chosen: state.chosen });
    pills.render([...linkOf.keys()], (pair) => ({
      parts: labelOf(links[pair], strings),
      look: linkOf.get(pair).look,
      words: wording.label(document, pairsOf(linkOf.get(pair))),
      chosen: isChosen(linkOf.get(pair)),
    }));
    state.selected = isCoarse.matches ? blockWith(links, state.chosen?.pair) : []; // a finger can move their ends
    board.draw(
      shown.map((link) => ({ ...link, look: `${link.look}${isChosen(link) ? " chosen" : ""}` })),
      (node) => wording.node(document, node),
    );
  }

  // Chunks rarely change. After a change, the board is rebuilt, and the focus stays as close as possible.
  function build(document) {
    const focused = board?.focused();
    const token = focused && built[focused.side][focused.index][0];
    board?.destroy();
    built = document.chunks;
    faces = facesOf(built, texts);
    const choosePair = (pair) => on.choose({ pair });
    pills = createPills(strings.links, { choose: choosePair, lit: (pair) => board.lightUp(pair && { pair }) });
    board = createBoard(state, {
      texts: faces.map((side) => side.map((face) => face.element)),
      labels,
      languages,
      direction,
      still,
      tags: pills,
      on: {
        join,
        move: on.move,
        press: choosePair,
        turn: ([pair]) => pair && choosePair(pair),
        look: () => "possible",
        scrolled: on.scrolled,
        lit: on.lit,
      },
    });
    board.element.addEventListener("pointerdown", ({ target }) => (pressed = nodeOf(target)));
    board.element.addEventListener(
      "pointerup",
      (event) => pressed && same(nodeOf(under(event)), pressed) && on.choose({ node: pressed }),
    );
    board.element.addEventListener("focusin", ({ target }) => {
      const node = target.matches(":focus-visible") && nodeOf(target);
      if (node) on.choose({ node });
    });
    element.replaceChildren(board.element);
    if (focused)
      focusNode({ side: focused.side, index: built[focused.side].findIndex((tokens) => tokens.includes(token)) });
  }

  function join(pairs, via) {
    pressed = null;
    on.join(pairs, via);
  }

  function nodeOf(target) {
    const option = target?.closest(".tok");
    const find = (side) => faces[side].findIndex((face) => face.element.parentElement === option);
    const side = option ? [0, 1].find((at) => find(at) >= 0) : undefined;
    return side === undefined ? null : { side, index: find(side) };
  }

  function focusNode({ side, index }) {
    const option = faces[side][index]?.element.parentElement;
    option?.focus();
  }

  // Nodes with the numbers that link them: [node, number].
  function mark(numbered) {
    faces.forEach((side, at) =>
      side.forEach(({ element: face }, index) => {
        const [, number] = numbered.find(([node]) => node.side === at && node.index === index) ?? [];
        const { classList, dataset } = face.parentElement;
        classList.toggle("match", Boolean(number));
        if (number) dataset.n = number;
        else delete dataset.n;
      }),
    );
  }

  // On a phone, the panel covers the lower part of the page, so the selected chunk or link is scrolled above the panel.
  function reveal(panel) {
    const shown = [...element.querySelectorAll(".pill.chosen, .face.chosen")];
    if (!shown.length || !matchMedia(PHONE).matches) return;
    const floor = panel.getBoundingClientRect().top - MARGIN;
    const ceiling = (document.querySelector(".an-top")?.getBoundingClientRect().bottom ?? 0) + MARGIN;
    const all = shown.map((each) => (each.closest(".tok") ?? each).getBoundingClientRect());
    const pill = element.querySelector(".pill.chosen")?.getBoundingClientRect();
    const whole = { top: Math.min(...all.map(({ top }) => top)), bottom: Math.max(...all.map(({ bottom }) => bottom)) };
    const { top, bottom } = pill && whole.bottom - whole.top > floor - ceiling ? pill : whole;
    const by = bottom > floor ? bottom - floor : Math.min(0, top - ceiling);
    if (by) scrollBy({ top: by, behavior: "instant" });
  }

  return {
    element,
    draw,
    reveal,
    mark,
    isCovered: () => matchMedia(PHONE).matches,
    lightUp: (lit) => board?.lightUp(lit),
    focusNode,
    focused: () => board?.focused() ?? null,
    focusPair: (pair) => pills.focus(blockWith(state.links, pair)[0]),
    focusedPair: () => pills?.focused() ?? null,
    destroy: () => board?.destroy(),
  };
}

// A captured pointer reports the element that captured it. This function returns the element under the pointer.
function under({ clientX, clientY }) {
  return document.elementFromPoint(clientX, clientY);
}
