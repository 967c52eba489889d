// The search that Ctrl K opens on every console page. The focus stays in the field, and arrow keys choose a result.

import { all, one, targetOf } from "../annotate/dom.js";

const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById("find-anything"));
if (dialog) listen(dialog);

/** @param {HTMLDialogElement} dialog */
function listen(dialog) {
  const field = /** @type {HTMLInputElement} */ (one("#find-text", dialog));
  const found = one("#find-found", dialog);
  let opensFirst = false; // Enter was pressed before the results of the present text had arrived

  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== "k") return;
    event.preventDefault(); // some browsers move to their own search field
    if (dialog.open) dialog.close();
    else if (!one("dialog[open]")) open();
  });
  document.addEventListener("click", (event) => {
    if (targetOf(event).closest("[data-opens-find]")) open();
    else if (event.target === dialog) dialog.close(); // a click beside the dialog
  });

  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown") choose(1);
    else if (event.key === "ArrowUp") choose(-1);
    else if (event.key === "Enter") enter();
    else return;
    event.preventDefault();
  });
  found.addEventListener("htmx:afterSwap", () => {
    select(options()[0]);
    one("#find-said", dialog).textContent = `Results: ${options().length}`;
    if (opensFirst && isCurrent()) enter();
  });

  function open() {
    field.value = "";
    opensFirst = false;
    dialog.showModal(); // closing it returns the focus
    field.dispatchEvent(new Event("opened"));
  }

  function enter() {
    opensFirst = !isCurrent();
    if (!opensFirst) one("[aria-selected=true]", found)?.click();
  }

  function isCurrent() {
    return one("[data-text]", found)?.dataset.text === field.value.trim();
  }

  function options() {
    return [...all("[role=option]", found)];
  }

  function choose(step) {
    const list = options();
    const place = list.findIndex((option) => option.ariaSelected === "true");
    select(list[(place + step + list.length) % list.length]);
  }

  function select(chosen) {
    for (const option of options()) option.ariaSelected = String(option === chosen);
    field.ariaExpanded = String(Boolean(chosen));
    field.setAttribute("aria-activedescendant", chosen?.id ?? "");
    chosen?.scrollIntoView({ block: "nearest" });
  }
}
