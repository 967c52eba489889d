// Many rows share one dialog. The button provides the name to show and the address for the form.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-fills]");
  if (!button) return;
  const dialog = document.getElementById(button.dataset.fills);
  const form = dialog.querySelector("form");
  form.reset();
  form.action = button.dataset.action;
  for (const place of dialog.querySelectorAll("[data-who]")) place.textContent = button.dataset.who;
  dialog.showModal();
});
