import { all, targetOf } from "../annotate/dom.js";

// Many rows share one dialog. The button provides the name to show, the address for the form, and the amount on the page.
document.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement | null} */ (targetOf(event).closest("[data-fills]"));
  if (!button) return;
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById(button.dataset.fills));
  const form = dialog.querySelector("form");
  form.reset();
  form.action = button.dataset.action;
  for (const field of all("input[data-seen]", dialog)) {
    const input = /** @type {HTMLInputElement} */ (field);
    input.value = button.dataset.seen;
  }
  for (const place of all("[data-who]", dialog)) place.textContent = button.dataset.who;
  dialog.showModal();
});
