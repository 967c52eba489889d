// The copy buttons on annotators' pages.

import { copy } from "../copying.js";

for (const button of document.querySelectorAll("[data-copies]")) {
  button.addEventListener("click", () => copy(/** @type {HTMLElement} */ (button)));
}
