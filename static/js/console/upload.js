import { all, h, one, targetOf } from "../annotate/dom.js";

// Let people drop a file on its form, say what a new study would read, and show that the upload has started. The
// listeners are on the document, because a page can load its forms again when a job has ended.

document.addEventListener("dragover", (event) => {
  const zone = zoneOf(event);
  if (!zone) return;
  event.preventDefault();
  zone.classList.add("over");
});

document.addEventListener("dragleave", (event) => zoneOf(event)?.classList.remove("over"));

document.addEventListener("drop", (event) => {
  const zone = zoneOf(event);
  if (!zone) return;
  event.preventDefault();
  zone.classList.remove("over");
  const input = /** @type {HTMLInputElement} */ (one("input[type=file]", zone));
  if (!event.dataTransfer.files.length || (!input.multiple && event.dataTransfer.files.length > 1)) return;
  input.files = event.dataTransfer.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
});

document.addEventListener("change", (event) => {
  const target = /** @type {HTMLInputElement} */ (targetOf(event));
  if (target.dataset.recognises && target.files?.length) recognise(target);
});

document.addEventListener("change", (event) => {
  const target = targetOf(event);
  if (!target.matches("[name=task_type]")) return;
  for (const radio of all("[name=task_type]", target.closest("form"))) delete radio.dataset.suggested;
  askForTask(target.closest("form"), false);
  const input = /** @type {HTMLInputElement} */ (one("[data-recognises]", target.closest("form")));
  if (input?.files.length) recognise(input);
});

// The browser would lose the chosen files with the server's refusal.
document.addEventListener(
  "submit",
  (event) => {
    if (!one("[data-unclear]", targetOf(event))) return;
    event.preventDefault();
    one("[name=task_type]", targetOf(event)).focus();
  },
  true, // before `presses.js` counts the form as sent
);

document.addEventListener("submit", (event) => {
  const form = targetOf(event).closest("form[data-drop]");
  if (form) one("button[type=submit]", form).textContent = "Uploading the file…";
});

window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  for (const button of all("form[data-drop] button[type=submit]")) button.textContent = "Preview the file";
});

const LARGE = 5_000_000; // bytes that are not worth sending twice

// Fill in the title and the task that the chosen files suggest, unless the researcher has filled them in.
async function recognise(input) {
  const read = one("#id_files_read");
  read.hidden = false;
  read.textContent = "";
  offer([], input.form);
  if ([...input.files].reduce((size, file) => size + file.size, 0) > LARGE) return;
  const body = new FormData();
  for (const file of input.files) body.append("files", file);
  const radios = /** @type {NodeListOf<HTMLInputElement>} */ (all("[name=task_type]", input.form));
  const ownTask = () => [...radios].find((radio) => radio.checked && !("suggested" in radio.dataset))?.value;
  const own = ownTask();
  if (own) body.append("task_type", own);
  body.append("csrfmiddlewaretoken", new FormData(input.form).get("csrfmiddlewaretoken"));
  const chosen = input.files;
  const response = await fetch(input.dataset.recognises, { method: "POST", body }).catch(() => null);
  const reading = response?.ok && (await response.json());
  const isCurrent = input.files === chosen && ownTask() === own; // the researcher can choose in the meantime
  if (!reading || !isCurrent) return;
  const { title, tasks, text, readings } = reading;
  read.replaceChildren(text);
  offer(readings, input.form);
  const name = /** @type {HTMLInputElement} */ (one("[name=title]", input.form));
  if (!name.value || name.value === name.dataset.suggested) name.value = title;
  name.dataset.suggested = title;
  if (own) return;
  for (const radio of radios) {
    radio.checked = tasks.length === 1 && radio.value === tasks[0];
    if (radio.checked) radio.dataset.suggested = "";
  }
  askForTask(input.form, tasks.length > 1);
}

// Offer the other readings of a file that contains single texts and pairs. The first is the one that Accord suggests.
function offer(readings, form) {
  const select = one("[name=reading]", form);
  select.replaceChildren(...readings.map(([value, label], at) => h("option", { value: at ? value : "" }, label)));
  select.parentElement.hidden = !select.children.length;
}

function askForTask(form, isUnclear) {
  one("[data-unclear]", form)?.remove();
  if (isUnclear) one("#id_files_read").append(h("span", { "data-unclear": true }, " Choose the task below."));
}

function zoneOf(event) {
  return targetOf(event).closest("[data-drop]");
}
