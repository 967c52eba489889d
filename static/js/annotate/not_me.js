// "This is not me": the copies of the previous annotator's pages leave this browser before the form is sent. Answers that
// have not been sent stay, and are sent when that annotator continues here with a resume code.

import { forgetPages } from "./offline.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-forget]"));
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await forgetPages(form.dataset.forget ?? "");
  } finally {
    form.submit();
  }
});
