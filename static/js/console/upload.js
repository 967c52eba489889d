// A file can be dropped on its form; the form says which one it has, and that it is on its way.

for (const form of document.querySelectorAll("form[data-drop]")) {
  const input = form.querySelector("input[type=file]");
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
    button.textContent = "Reading the file…";
  });
}

window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  for (const button of document.querySelectorAll("form[data-drop] button[type=submit]")) {
    button.textContent = "Look at the file";
  }
});
