// The Pay page: a bar with the total amount for the selected annotators, and a checkbox that selects all on the page.

import { all, one, targetOf } from "../annotate/dom.js";

const form = /** @type {HTMLElement} */ (document.getElementById("pay-form"));
const total = one("[data-total]", form);
const bar = /** @type {HTMLElement} */ (one(".selbar", form)); // without a selection there is nothing to record
const everyone = /** @type {HTMLInputElement} */ (one("[data-selects-all]", form));

form.addEventListener("change", (event) => {
  if (targetOf(event) === everyone) for (const box of boxes()) box.checked = everyone.checked;
  show();
});
show();

function show() {
  const selected = boxes().filter((box) => box.checked);
  everyone.checked = selected.length > 0 && selected.length === boxes().length;
  everyone.indeterminate = selected.length > 0 && !everyone.checked;
  const cents = selected.reduce((sum, box) => sum + Math.round(100 * Number(box.dataset.amount)), 0);
  const noun = selected.length === 1 ? "annotator" : "annotators";
  const text = selected.length
    ? `${selected.length} ${noun} selected: ${money(cents / 100)}`
    : "No annotators selected";
  if (total.textContent !== text) total.textContent = text;
  bar.hidden = selected.length === 0 && !one("[aria-invalid='true'], [role='alert']", bar);
}

function boxes() {
  return /** @type {HTMLInputElement[]} */ ([...all("input[name='due']:not(:disabled)", form)]);
}

/** @param {number} amount */
function money(amount) {
  return new Intl.NumberFormat("en-US", { style: "currency", currency: form.dataset.currency }).format(amount);
}
