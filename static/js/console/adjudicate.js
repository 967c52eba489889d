// The Adjudication page: draws the annotators' answers side by side, and puts a chosen answer into the editor. Keys of the
// page are held with Shift, so that every task keeps its own keys in the editor.

import { all, h, one, readStrings, targetOf } from "../annotate/dom.js";
import { namesOf } from "../annotate/keymap.js";
import { recall, remember } from "../annotate/storage.js";

const SINGLE_KEYS = "accord:single-keys"; // the same setting as on the work page: WCAG 2.1.4

const form = /** @type {HTMLFormElement} */ (document.getElementById("judge"));
const field = /** @type {HTMLInputElement} */ (document.getElementById("id_value"));
const read = (id) => JSON.parse(document.getElementById(id).textContent);
const given = read("given");
const content = read("content");
const start = parsed(read("value-so-far"));

const { mount, picture, differences } = await import(form.dataset.module);
const strings = readStrings("strings");
const { language, direction } = form.dataset;

const task = mount(document.getElementById("task"), {
  content,
  value: start,
  disabled: false,
  given,
  strings,
  language,
  direction,
  onChange(next, words) {
    decide(next);
    announce(words);
  },
});
let decision = start;
if (start) field.value = JSON.stringify(start);
document.getElementById("ask").replaceChildren(...task.heading());

for (const place of all("[data-place]")) {
  const { value } = given[Number(place.dataset.place)];
  if (picture) picture(place, { content, value, strings, language, direction });
}

for (const button of all("[data-take]")) {
  button.addEventListener("click", () => {
    const { take } = button.dataset;
    const value = take === "suggested" ? read("suggested") : given[Number(take)].value;
    task.setValue(value);
    decide(value);
    announce(button.firstChild.textContent.trim());
  });
}

renderParts();
one("[data-next-part]")?.addEventListener("click", focusNextPart);

const toggle = /** @type {HTMLInputElement} */ (one("[data-single-keys]"));
toggle.checked = recall(SINGLE_KEYS) ?? true;
toggle.addEventListener("change", () => remember(SINGLE_KEYS, toggle.checked));

// After a decision, the browser loads the next question. Without a new focus, screen readers would start at the top.
if (new URLSearchParams(location.search).has("decided")) document.getElementById("question-heading").focus();

document.addEventListener("keydown", (event) => {
  const target = targetOf(event);
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (target.closest("textarea, dialog, input:not([type=radio], [type=checkbox])")) return;
  if (event.key === "Enter") {
    if (target.closest("a, button, summary")) return;
    event.preventDefault();
    form.requestSubmit();
  } else if (toggle.checked && (press(event) || task.key(event))) event.preventDefault();
});

// Presses the control of the page that has this key.
function press(event) {
  const names = namesOf(event);
  const control = [...all("[data-key]")].find(({ dataset }) => names.includes(dataset.key));
  control?.click();
  return Boolean(control);
}

function decide(value) {
  decision = value;
  field.value = JSON.stringify(value);
  renderParts();
}

// Below each answer: the parts that differ from the decision in the editor. Pressing a part puts it into the decision.
function renderParts() {
  if (!differences) return;
  for (const place of all("[data-parts]")) {
    const { value } = given[Number(place.dataset.parts)];
    const parts = differences({ content, strings }, decision, value);
    const [list, agrees] = [one("ul", place), one("[data-agrees]", place)];
    markPicture(one(`[data-place="${place.dataset.parts}"]`), parts);
    list.replaceChildren(...parts.map((part) => h("li", {}, partButton(part))));
    place.hidden = false;
    one("[data-differs]", place).hidden = !parts.length;
    agrees.hidden = Boolean(parts.length);
  }
  for (const text of all("[data-compared]")) text.hidden = true; // the comparison with the suggested answer
  const next = one("[data-next-part]");
  if (next) next.hidden = false;
}

// In the drawing of an answer, differing parts are marked, and a press uses the part. The list below the drawing offers
// the same to keyboards.
function markPicture(place, parts) {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[data-part]"))) {
    const names = element.dataset.part.split(" ");
    const own = parts.filter(({ at }) => names.includes(at));
    element.toggleAttribute("data-marked", own.length > 0); // drawings set their own classes again
    element.onclick = own.length ? () => take(own) : null;
  }
}

function take(parts) {
  for (const { part, words } of parts) task.take(part, words);
}

// The button disappears when it is pressed. The focus then moves to the heading of the answer, where Enter saves the
// decision and the key for the next difference continues.
function partButton(part) {
  function press(event) {
    const heading = one("h3", event.currentTarget.closest(".panel"));
    take([part]);
    heading.focus();
  }
  return h("button", { type: "button", class: "b part", onclick: press }, part.words);
}

// Moves the focus to the next part, and begins again after the last.
function focusNextPart() {
  const parts = /** @type {HTMLElement[]} */ ([...all(".part")]);
  const follows = (part) => document.activeElement.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_FOLLOWING;
  (parts.find(follows) ?? parts[0])?.focus();
}

function announce(words) {
  document.getElementById("said").textContent = words;
}

function parsed(value) {
  return typeof value === "string" ? JSON.parse(value) : value;
}
