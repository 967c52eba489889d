// The same links as a grid with one cell per pair, which gives an overview and is accessible to screen readers. The
// grid has one tab stop, arrow keys move the focus, and each cell has a description in words.

import { h, targetOf } from "../js/annotate/dom.js";
import { block, ends } from "./state.js";

// A drag over cells, or Shift with arrow keys, selects a rectangle. Releasing the mouse, or Space, links all its pairs. With
// Alt, a drag selects only the diagonal.
// texts: of both sides; act: press(pairs, via, possible), turn(pairs), lit(pair or null); name(pair): the description
// of a cell; same: the pairs of identical words
export function createMatrix(texts, { label, languages, direction, act, name, same }) {
  const cells = texts[0].map((_, i) =>
    texts[1].map((_, j) => h("td", { tabindex: -1, "aria-label": name(`${i}-${j}`) })),
  );
  const columns = texts[1].map(() => h("col"));
  const tops = texts[1].map((text) => h("th", { scope: "col" }, h("span", { lang: languages[1] }, text)));
  const lines = cells.map((line, i) =>
    h("tr", {}, h("th", { scope: "row" }, h("span", { lang: languages[0], dir: "auto" }, texts[0][i])), line),
  );
  const grid = h(
    "table",
    { role: "grid", "aria-label": label, dir: direction || "auto" },
    h("colgroup", {}, h("col"), columns),
    h("thead", {}, h("tr", {}, h("td"), tops)),
    h("tbody", {}, lines),
  );
  const element = h("div", { class: "matrix" }, grid);
  const places = new Map(cells.flatMap((line, i) => line.map((cell, j) => [cell, `${i}-${j}`])));
  let shown = new Map();
  let stop = "0-0";
  cellOf(stop).tabIndex = 0;
  for (const pair of same) cellOf(pair).append(h("i"));

  let corner = null; // the cell where a rectangle begins
  let marked = []; // its pairs, or those of its diagonal
  grid.addEventListener("pointerdown", (event) =>
    at(event.target, (pair) => {
      if (event.button || event.pointerType === "touch") return;
      corner = pair;
      markTo(null);
    }),
  );
  grid.addEventListener(
    "pointerover",
    ({ target, buttons, altKey }) => buttons === 1 && corner && at(target, (pair) => markTo(pair, altKey)),
  );
  grid.addEventListener("click", ({ target, detail, shiftKey, altKey }) => {
    if (altKey) addEventListener("keyup", (event) => event.preventDefault(), { once: true }); // no menu of the browser
    const pairs = unmark();
    if (pairs.length > 1) return act.press(pairs, "matrix", shiftKey);
    at(target, (pair) => act.press([pair], detail ? "tap" : "matrix", shiftKey));
  });
  grid.addEventListener("pointerleave", unmark);
  grid.addEventListener("contextmenu", (event) =>
    at(event.target, (pair) => {
      event.preventDefault();
      act.turn([pair]);
    }),
  );
  grid.addEventListener(
    "pointerover",
    ({ target, pointerType }) => pointerType !== "touch" && act.lit(places.get(target) ?? null),
  );
  grid.addEventListener("pointerleave", () => act.lit(null));
  grid.addEventListener("focusin", (event) =>
    at(event.target, (pair) => {
      rove(pair);
      if (targetOf(event).matches(":focus-visible")) act.lit(pair);
    }),
  );
  grid.addEventListener("focusout", () => act.lit(null));
  grid.addEventListener("keydown", (event) => at(event.target, (pair) => move(pair, event) && event.preventDefault()));

  function at(target, then) {
    const pair = places.get(target);
    if (pair) then(pair);
  }

  function cellOf(pair) {
    const [i, j] = ends(pair);
    return cells[i]?.[j];
  }

  function rove(pair) {
    cellOf(stop).tabIndex = -1;
    stop = pair;
    cellOf(stop).tabIndex = 0;
  }

  // Returns the pairs that were marked.
  function unmark() {
    const pairs = marked;
    corner = null;
    markTo(null);
    return pairs;
  }

  // The rectangle from the corner to a cell, or its diagonal from the corner on, or null for nothing.
  function markTo(pair, isDiagonal = false) {
    for (const each of marked) cellOf(each).classList.remove("marked");
    marked = [];
    if (!pair || !corner || pair === corner) return;
    const [rows, columns] = [0, 1].map((side) => {
      const [a, b] = [ends(corner)[side], ends(pair)[side]];
      return Array.from({ length: Math.abs(b - a) + 1 }, (_, step) => a + step * Math.sign(b - a));
    });
    marked = isDiagonal ? diagonal(rows, columns) : block(rows, columns);
    for (const each of marked) cellOf(each).classList.add("marked");
  }

  function move(pair, { key, ctrlKey, altKey, metaKey, shiftKey }) {
    if (altKey || metaKey) return false;
    if (key === " ") {
      const pairs = unmark();
      act.press(pairs.length ? pairs : [pair], "matrix", shiftKey);
      return true;
    }
    if (key === "Escape" && marked.length) {
      unmark();
      return true;
    }
    const [i, j] = ends(pair);
    const [bottom, end] = [texts[0].length - 1, texts[1].length - 1];
    const forward = getComputedStyle(grid).direction === "rtl" ? -1 : 1;
    const [row, column] = {
      ArrowUp: [i - 1, j],
      ArrowDown: [i + 1, j],
      ArrowLeft: [i, j - forward],
      ArrowRight: [i, j + forward],
      Home: [ctrlKey ? 0 : i, 0],
      End: [ctrlKey ? bottom : i, end],
      PageUp: [Math.max(0, i - 5), j],
      PageDown: [Math.min(bottom, i + 5), j],
    }[key] ?? [-1, -1];
    if (row < 0) return key === "ArrowUp";
    if (!cells[row]?.[column]) return true;
    corner = shiftKey ? (corner ?? pair) : null;
    cells[row][column].focus();
    markTo(shiftKey ? `${row}-${column}` : null);
    return true;
  }

  return {
    element,
    focused: () => places.get(document.activeElement) ?? null,

    // Link the diagonal of the rectangle that ends at the cell in focus.
    along() {
      const pair = places.get(document.activeElement);
      if (!pair || !marked.length) return;
      markTo(pair, true);
      act.press(unmark(), "matrix");
    },

    // links: [{pair, look, mark}]
    draw(links) {
      const next = new Map(links.map(({ pair, look, mark }) => [pair, `${look} ${mark}`]));
      for (const pair of new Set([...shown.keys(), ...next.keys()])) {
        if (shown.get(pair) === next.get(pair)) continue;
        cellOf(pair).className = next.get(pair) ?? "";
        if (marked.includes(pair)) cellOf(pair).classList.add("marked");
        cellOf(pair).setAttribute("aria-label", name(pair));
      }
      shown = next;
    },

    light({ lit }) {
      const [i, j] = lit?.pair
        ? ends(lit.pair)
        : [0, 1].map((side) => (lit?.node?.side === side ? lit.node.index : -1));
      lines.forEach((line, index) => line.classList.toggle("on", index === i));
      [columns, tops].forEach((list) => list.forEach((each, index) => each.classList.toggle("on", index === j)));
    },
  };
}

// The pairs of a diagonal, which ends with the shorter side.
function diagonal(rows, columns) {
  return rows.slice(0, columns.length).map((i, at) => `${i}-${columns[at]}`);
}
