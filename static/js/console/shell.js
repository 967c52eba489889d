// Behaviour of every console page: htmx requests carry the CSRF token, buttons open dialogs, help and fields, and the
// browser asks before it leaves a page with unsaved input.

import { all, one, targetOf } from "../annotate/dom.js";
import { copy } from "../copying.js";
import { csrfToken } from "./csrf.js";
import "./find.js";
import "./list_keys.js";
import "./quiet_settings.js";
import "./slide.js";
import "./tour.js";
import "./wage.js";

document.addEventListener("htmx:configRequest", (event) => {
  event.detail.headers["X-CSRFToken"] = csrfToken();
});

document.addEventListener("htmx:responseError", (event) =>
  say(`The server returned error ${event.detail.xhr.status}. Try again.`),
);
document.addEventListener("htmx:sendError", () => say("The server cannot be reached. Try again when you are online."));

document.addEventListener("click", (event) => {
  const target = targetOf(event);
  const opener = around(target, "[data-opens]");
  if (opener) {
    /** @type {HTMLDialogElement} */ (document.getElementById(opener.dataset.opens)).showModal();
    return;
  }
  const closer = around(target, "[data-closes]");
  if (closer) {
    closer.closest("dialog").close();
    return;
  }
  const asker = around(target, "[data-shows]");
  if (asker) {
    const isOpen = asker.getAttribute("aria-expanded") === "true";
    asker.setAttribute("aria-expanded", String(!isOpen));
    document.getElementById(asker.getAttribute("aria-controls")).hidden = isOpen;
    return;
  }
  const rest = around(target, "[data-rest]");
  if (rest) {
    rest.setAttribute("aria-expanded", "true"); // the style sheet then shows all rows, and hides the button
    one("tbody tr:nth-child(11) :is(a, summary, input)", rest.closest(".rest").previousElementSibling).focus();
    return;
  }
  const editor = around(target, "[data-edits]");
  if (editor) {
    const fields = document.getElementById(editor.dataset.edits);
    fields.hidden = false;
    one("input, select, textarea", fields).focus();
    return;
  }
  const copier = around(target, "[data-copies]");
  if (copier) copy(copier);
  closeFloating(target);
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const details of floating()) {
    details.open = false;
    one("summary", details).focus();
  }
  for (const help of all(".ask[aria-expanded=true]")) /** @type {HTMLElement} */ (help).click();
});

// A form that the server returned with faults contains changes, too.
/** @type {Set<HTMLElement>} */
const changed = new Set(/** @type {NodeListOf<HTMLElement>} */ (all("form[data-keeps]:has([aria-invalid='true'])")));
document.addEventListener("input", (event) => {
  const form = around(targetOf(event), "form[data-keeps]");
  if (form) changed.add(form);
});
window.addEventListener("beforeunload", (event) => {
  if ([...changed].some((form) => !form.dataset.sent)) event.preventDefault();
});

// Reopen a dialog whose form the server returned with faults.
for (const dialog of all("dialog[data-open]")) /** @type {HTMLDialogElement} */ (dialog).showModal();

// Move the focus to the first faulty field of a returned form.
one("[aria-invalid='true']")?.focus();

// A link to a field also shows the field and moves the focus to it. Browsers only scroll to it.
function focusField() {
  const target = location.hash.startsWith("#id_") ? document.getElementById(location.hash.slice(1)) : null;
  const field = target?.matches("fieldset") ? one("input", target) : target;
  if (!field) return;
  const folded = field.closest("details");
  if (folded) folded.open = true;
  for (let hidden = around(field, "[hidden]"); hidden; hidden = around(field, "[hidden]")) {
    hidden.hidden = false;
    delete hidden.dataset.needs;
    delete hidden.dataset.quiet;
  }
  field.focus();
}
window.addEventListener("hashchange", focusField);
focusField();

function closeFloating(target) {
  for (const details of floating()) {
    if (!details.contains(target)) details.open = false;
  }
}

// The menus that float over the page and are open.
function floating() {
  return /** @type {NodeListOf<HTMLDetailsElement>} */ (all("details[data-floats][open]"));
}

function around(target, selector) {
  return /** @type {HTMLElement | null} */ (target.closest(selector));
}

function say(text) {
  const line = document.querySelector(".con-busy");
  if (line) line.textContent = text;
}
