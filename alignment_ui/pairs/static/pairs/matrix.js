// The same links as a grid, a cell for each pair: for looking along, and the way for a screen reader. One tab stop;
// arrows move the focus, and each cell says in words what it stands for.

import { h, targetOf } from "../js/annotate/dom.js";
import { ends } from "./state.js";

// texts: of both sides; act: press(pair, via), turn(pairs), lit(pair or null); name(pair): what a cell says; same: the
// pairs of identical words
export function createMatrix(texts, { label, language, direction, act, name, same }) {
  const cells = texts[0].map((_, i) =>
    texts[1].map((_, j) => h("td", { tabindex: -1, "aria-label": name(`${i}-${j}`) })),
  );
  const columns = texts[1].map(() => h("col"));
  const tops = texts[1].map((text) => h("th", { scope: "col" }, h("span", {}, text)));
  const lines = cells.map((line, i) =>
    h("tr", {}, h("th", { scope: "row" }, h("span", { dir: "auto" }, texts[0][i])), line),
  );
  const grid = h(
    "table",
    { role: "grid", "aria-label": label, lang: language, dir: direction || "auto" },
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

  grid.addEventListener("click", ({ target, detail }) =>
    at(target, (pair) => act.press(pair, detail ? "tap" : "matrix")),
  );
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

  function move(pair, { key, ctrlKey, altKey, metaKey }) {
    if (altKey || metaKey) return false;
    if (key === " ") return act.press(pair, "matrix") ?? true;
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
    cells[row]?.[column]?.focus();
    return true;
  }

  return {
    element,
    focused: () => places.get(document.activeElement) ?? null,

    // links: [{pair, look, mark}]
    draw(links) {
      const next = new Map(links.map(({ pair, look, mark }) => [pair, `${look} ${mark}`]));
      for (const pair of new Set([...shown.keys(), ...next.keys()])) {
        if (shown.get(pair) === next.get(pair)) continue;
        cellOf(pair).className = next.get(pair) ?? "";
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
