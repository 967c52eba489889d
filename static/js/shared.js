// The page of a shared report: its ranking can be filtered and ordered, and its checksum copied.

import { copy } from "./copying.js";

for (const button of document.querySelectorAll("[data-copies]")) {
  button.addEventListener("click", () => copy(/** @type {HTMLElement} */ (button)));
}

const ranking = document.getElementById("ranking");
if (ranking) play(ranking);

/** @param {HTMLElement} ranking */
function play(ranking) {
  const find = /** @type {HTMLInputElement} */ (ranking.querySelector("#find"));
  const order = /** @type {HTMLSelectElement} */ (ranking.querySelector("#order"));
  const count = /** @type {HTMLElement} */ (ranking.querySelector("#count"));
  const more = /** @type {HTMLButtonElement} */ (ranking.querySelector("#all"));
  const body = /** @type {HTMLTableSectionElement} */ (ranking.querySelector("tbody"));
  const rows = [...body.rows];
  const texts = new Map(rows.map((row) => [row, folded(row.cells[0]?.textContent ?? "")]));
  const first = Number(more.dataset.first);
  let all = false;

  find.addEventListener("input", show);
  order.addEventListener("change", show);
  more.addEventListener("click", () => {
    all = !all;
    show();
  });
  for (const part of ranking.querySelectorAll("[data-play]")) part.removeAttribute("hidden");
  show();

  function show() {
    const wanted = folded(find.value.trim());
    const found = ordered().filter((row) => texts.get(row)?.includes(wanted));
    body.replaceChildren(...(all ? found : found.slice(0, first)));
    count.textContent = `${found.length === rows.length ? "" : `${found.length} of `}${rows.length} ${count.dataset.noun}s`;
    more.textContent = all ? `Show the first ${first}` : `Show all ${found.length}`;
    /** @type {HTMLElement} */ (more.parentElement).hidden = found.length <= first;
  }

  function ordered() {
    if (order.value === "reversed") return [...rows].reverse();
    if (order.value === "width") return [...rows].sort((a, b) => width(b) - width(a));
    return rows;
  }
}

/** @param {HTMLElement} row */
function width(row) {
  return Number(row.dataset.width);
}

/** Returns a text without case and accents. @param {string} text */
function folded(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
