import { all, one, targetOf } from "../annotate/dom.js";

// Let people drop a file on its form, and show that the upload has started. The listeners are on the document, because a
// page can load its forms again when a job has ended.

document.addEventListener("dragover", (event) => {
  const form = formOf(event);
  if (!form) return;
  event.preventDefault();
  form.classList.add("over");
});

document.addEventListener("dragleave", (event) => formOf(event)?.classList.remove("over"));

document.addEventListener("drop", (event) => {
  const form = formOf(event);
  if (!form) return;
  event.preventDefault();
  form.classList.remove("over");
  if (event.dataTransfer.files.length !== 1) return;
  /** @type {HTMLInputElement} */ (one("input[type=file]", form)).files = event.dataTransfer.files;
});

document.addEventListener("submit", (event) => {
  const form = formOf(event);
  if (form) one("button[type=submit]", form).textContent = "Uploading the file…";
});

window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  for (const button of all("form[data-drop] button[type=submit]")) button.textContent = "Preview the file";
});

function formOf(event) {
  return targetOf(event).closest("form[data-drop]");
}
