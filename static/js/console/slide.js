// A slider whose positions are the rows of a table: elements with `data-says` show cells of the chosen row, such as
// “{cost}” for the cell with this `data-cell`, or nothing if the cell is empty. A number in a field moves the slider:
// with `data-within` to the last row within the number, and with `data-reaches` to the first row that reaches it, by the
// data of the rows with this name. The rows are those of the table's last body. An element with `data-unless` is hidden
// at the row with this number.

import { all, one, targetOf } from "../annotate/dom.js";

document.addEventListener("input", (event) => {
  const group = targetOf(event).closest("[data-slides]");
  if (!group) return;
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (field.type === "number" && field.value) moveTo(field, group);
  show(group);
});
document.addEventListener("htmx:afterSettle", showAll);
showAll();

function showAll() {
  for (const group of all("[data-slides]")) show(group);
}

function moveTo(field, group) {
  const { within, reaches } = field.dataset;
  const values = rowsOf(group).map((row) => Number(row.dataset[within ?? reaches]));
  const limit = Number(field.value);
  const at = within ? values.findLastIndex((value) => value <= limit) : values.findIndex((value) => value >= limit);
  const slider = sliderOf(group);
  slider.value = String(Number(slider.min) + (at >= 0 ? at : within ? 0 : values.length - 1));
}

function show(group) {
  const slider = sliderOf(group);
  const row = rowsOf(group)[Number(slider.value) - Number(slider.min)];
  const cell = (name) => one(`[data-cell="${name}"]`, row).textContent.trim();
  const said = ({ dataset }) => {
    const cells = [...dataset.says.matchAll(/\{(\w+)\}/g)].map(([, name]) => cell(name));
    return cells.every(Boolean) ? dataset.says.replace(/\{\w+\}/g, () => cells.shift()) : "";
  };
  for (const element of all("[data-says]", group)) {
    if (element === slider) slider.setAttribute("aria-valuetext", said(slider));
    else element.textContent = said(element);
    if (element.dataset.unless) element.hidden = cell("number") === element.dataset.unless;
  }
}

function sliderOf(group) {
  return /** @type {HTMLInputElement} */ (one("input[type=range]", group));
}

function rowsOf(group) {
  const { tBodies } = /** @type {HTMLTableElement} */ (one("table", group));
  return [...tBodies[tBodies.length - 1].rows];
}
