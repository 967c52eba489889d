// Draws every chart of a page from the JSON next to it, and redraws charts when their width changes. Colours follow the
// theme automatically.
import { all, one, targetOf } from "../annotate/dom.js";
import { fileOf } from "./files.js";
import { standalone } from "./standalone.js";
import { mountSparks } from "./visible.js";

// The open tables, by the ID of the chart, so that a page that updates itself does not close them. The drawings that
// have not ended yet, by their panels.
const state = { tables: new Set(), drawings: new Map() };

const widths = new ResizeObserver((entries) => {
  for (const { target } of entries) redraw(/** @type {HTMLElement} */ (target.closest("[data-chart]")));
});

function mount(root) {
  for (const panel of all("[data-chart]", root)) {
    widths.observe(one("[data-drawing]", panel));
    showTable(panel);
  }
  mountSparks(root);
}

function redraw(panel) {
  const drawing = draw(panel).finally(() => state.drawings.get(panel) === drawing && state.drawings.delete(panel));
  state.drawings.set(panel, drawing);
  return drawing;
}

// A press can come before the browser has reported the width of the chart.
function drawn(panel) {
  return state.drawings.get(panel) ?? redraw(panel);
}

// The panel names the module that draws the chart, so that task types can add charts.
async function draw(panel) {
  const place = one("[data-drawing]", panel);
  const width = Math.floor(place.clientWidth);
  if (!width || Number(place.dataset.drawn) === width) return;
  place.dataset.drawn = String(width);
  const data = JSON.parse(document.getElementById(`${panel.id}-data`).textContent);
  const drawings = await import(panel.dataset.module);
  if (Number(place.dataset.drawn) !== width) return; // the chart was resized while it was being drawn
  const axes = [panel.dataset.across, panel.dataset.up];
  const svg = drawings[panel.dataset.chart]({ ...data, axes }, width);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", panel.dataset.label);
  place.replaceChildren(svg);
}

function showTable(panel) {
  const open = state.tables.has(panel.id);
  one("[data-table]", panel).setAttribute("aria-expanded", String(open));
  one("[data-rows]", panel).hidden = !open;
}

async function save(panel, type) {
  await drawn(panel);
  const drawing = standalone(panel.querySelector("[data-drawing] svg"), panel.dataset.label);
  const file = await fileOf(type, drawing, one("[data-rows] table", panel));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${panel.id}.${type}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// A printed report shows everything. Charts that are not visible are drawn in time for it.
window.addEventListener("beforeprint", () => toggle("details.fold:not([open])", true));
window.addEventListener("afterprint", () => toggle("details[data-printed]", false));

function toggle(folds, open) {
  for (const fold of all(folds, document)) {
    /** @type {HTMLDetailsElement} */ (fold).open = open;
    fold.toggleAttribute("data-printed", open);
  }
}

// Charts exist only in the browser, so the form for a zip archive sends the drawings as a file.
document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches("[data-figures]")) return;
  if (!form.dataset.drawn) {
    event.preventDefault();
    form.dataset.drawn = "yes";
    // A form cannot be submitted again during the event of its submission.
    Promise.allSettled([...all("[data-chart]", document)].map(drawn)).then(() =>
      setTimeout(() => form.requestSubmit()),
    );
    return;
  }
  delete form.dataset.drawn;
  const drawings = {};
  for (const panel of all("[data-chart]", document)) {
    const svg = panel.querySelector("[data-drawing] svg");
    if (svg) drawings[panel.id] = standalone(svg, panel.dataset.label);
  }
  form.querySelector("input[type=file]")?.remove();
  const input = document.createElement("input");
  input.type = "file";
  input.name = "figures";
  input.hidden = true;
  const transfer = new DataTransfer();
  transfer.items.add(new File([JSON.stringify(drawings)], "figures.json", { type: "application/json" }));
  input.files = transfer.files;
  form.append(input);
});

document.addEventListener("click", (event) => {
  const target = targetOf(event);
  const panel = /** @type {HTMLElement | null} */ (target.closest("[data-chart]"));
  if (!panel) return;
  const choice = /** @type {HTMLElement | null} */ (target.closest(".chart-menu button"));
  if (!choice) return;
  /** @type {HTMLDetailsElement} */ (choice.closest("details")).open = false;
  if (choice.dataset.file) save(panel, choice.dataset.file);
  if (target.closest("[data-table]")) {
    if (!state.tables.delete(panel.id)) state.tables.add(panel.id);
    showTable(panel);
  }
});
document.addEventListener("htmx:load", (event) => mount(event.detail.elt));
mount(document);
for (const panel of all("details:not([open]) [data-chart]", document)) drawn(panel);
