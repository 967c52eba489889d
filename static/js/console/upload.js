import { all } from "../annotate/dom.js";

// Let people drop a file on its form, and show that the upload has started.

for (const form of all("form[data-drop]")) {
  const input = /** @type {HTMLInputElement} */ (form.querySelector("input[type=file]"));
  const button = form.querySelector("button[type=submit]");

  form.addEventListener("dragover", (event) => {
    event.preventDefault();
    form.classList.add("over");
  });
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    if (event.dataTransfer.files.length !== 1) return;
    input.files = event.dataTransfer.files;
  });
  form.addEventListener("submit", () => {
    button.textContent = "Uploading the file…";
  });
}

window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  for (const button of document.querySelectorAll("form[data-drop] button[type=submit]")) {
    button.textContent = "Preview the file";
  }
});
