// Researchers answer gold candidates with the same module that annotators use.

import { readStrings, targetOf } from "../annotate/dom.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("judge"));
const field = /** @type {HTMLInputElement} */ (document.getElementById("id_value"));
const read = (id) => JSON.parse(document.getElementById(id).textContent);
const kept = read("value-so-far");
const value = typeof kept === "string" ? JSON.parse(kept) : kept;

const { mount } = await import(form.dataset.module);
const strings = readStrings("strings");

const task = mount(document.getElementById("task"), {
  content: read("content"),
  value,
  disabled: false,
  strings,
  language: form.dataset.language,
  direction: form.dataset.direction,
  onChange(next, words) {
    field.value = JSON.stringify(next);
    document.getElementById("said").textContent = words;
  },
});
if (value) field.value = JSON.stringify(value);
document.getElementById("ask").replaceChildren(...task.heading());

// As on the annotators' page, Enter goes on.
document.addEventListener("keydown", (event) => {
  const target = targetOf(event);
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || target.closest("textarea, dialog"))
    return;
  if (task.key(event)) event.preventDefault();
  else if (event.key === "Enter" && !event.repeat && !target.closest("a, button, summary, input:not([type=radio])")) {
    event.preventDefault();
    form.requestSubmit();
  }
});
