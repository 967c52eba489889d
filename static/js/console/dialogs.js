import { all, targetOf } from "../annotate/dom.js";

// Many rows share one dialog. The button provides the name to show and the address for the form.
document.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement | null} */ (targetOf(event).closest("[data-fills]"));
  if (!button) return;
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById(button.dataset.fills));
  const form = dialog.querySelector("form");
  form.reset();
  form.action = button.dataset.action;
  for (const place of all("[data-who]", dialog)) place.textContent = button.dataset.who;
  dialog.showModal();
});
