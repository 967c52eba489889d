// The page on which a reviewer decides a question: the annotators' answers, their differences, and a bar of choices.
// Nothing is chosen at first. The reviewer uses an answer, chooses a reading of each difference, keeps all answers, or
// answers the question in the annotators' editor.

import { all, h, one, readStrings, same, targetOf } from "../annotate/dom.js";
import { namesOf } from "../annotate/keymap.js";
import { recall } from "../annotate/storage.js";

const SINGLE_KEYS = "accord:single-keys"; // the same setting as on the work page: WCAG 2.1.4

const form = /** @type {HTMLFormElement} */ (document.getElementById("judge"));
const fields = {
  value: /** @type {HTMLInputElement} */ (document.getElementById("id_value")),
  keepBoth: /** @type {HTMLInputElement} */ (document.getElementById("id_keep_both")),
};
const read = (id) => JSON.parse(document.getElementById(id).textContent);
const given = read("given");
const content = read("content");
const values = given.map(({ value }) => value);
const { language, direction } = form.dataset;
const strings = readStrings("strings");

const { mount, picture, compare, parts, showQuestion, withPart } = await import(form.dataset.module);
const question = { content, strings };
const differences = differing();
const majority = differences.map(majorityOf);

// value: the decision so far, or null; picks: the chosen part of each difference while some are open; editor: the task
// in the open editor, and `before`, the value before it was opened
const state = {
  value: parsed(read("value-so-far")),
  picks: differences.map(() => null),
  keepBoth: fields.keepBoth.value === "on",
  editor: null,
  before: null,
};

const work = one(".decide");
const place = one("#answers");
const drawing = compare
  ? compare(place, { content, answers: given, strings, language, direction })
  : { show: () => {}, ...drawSideBySide() };
showQuestion?.(one("[data-question]"), { content, strings, language, direction });
const chips = differences.map(chip);
one("#differences").replaceChildren(...chips.map(({ element }) => element));
const [uses, takeMajority] = [all("[data-use]"), one("[data-majority]")];
takeMajority.hidden = !majority.some(Boolean);
markDifferences();
render();

// ── differences ──────────────────────────────────────────────────────────────────────────────────────────────────
function differing() {
  if (!given.length) return [];
  return parts(question, values).filter(({ readings: [first, ...others] }) =>
    others.some(({ part }) => !same(part, first.part)),
  );
}

// The reading of more than half of the annotators who count towards a majority.
function majorityOf({ readings }) {
  const voting = readings.filter((_, at) => given[at].votes);
  const agreeing = ({ part }) => voting.filter((other) => same(other.part, part)).length;
  return voting.find((reading) => 2 * agreeing(reading) > voting.length)?.part ?? null;
}

// A difference with a button for each reading: “like – such: not linked A, sure B C”.
function chip({ at, label, readings }, number) {
  const distinct = readings.filter((each, place) => readings.findIndex(({ part }) => same(part, each.part)) === place);
  const choices = distinct.map(({ part, words }) => {
    const letters = given.filter((_, place) => same(readings[place].part, part)).map(({ letter }) => letter);
    const isLikely = majority[number] && same(majority[number], part);
    const likely = isLikely ? h("span", { class: "likely" }, "majority") : null;
    const own = [h("span", {}, words), " ", h("b", {}, letters.join(" ")), likely];
    const press = () => pick(number, part, `${label}: ${words}`);
    return { part, words, button: h("button", { type: "button", class: "b", onclick: press }, own) };
  });
  const key = number < 9 ? h("kbd", { "aria-hidden": "true" }, `${number + 1}`) : null;
  const name = h("span", { class: "what", lang: language, dir: direction || "auto" }, label);
  const buttons = choices.map(({ button }) => button);
  const element = h("li", {}, h("div", { role: "group", "aria-label": label }, key, name, buttons));
  for (const [type, lit] of Object.entries({ pointerenter: at, pointerleave: null, focusin: at, focusout: null }))
    element.addEventListener(type, () => drawing.light?.(lit));
  return { element, label, choices };
}

function pick(number, part, words) {
  if (state.value) state.value = withPart(question, state.value, part);
  else choose(state.picks.map((before, at) => (at === number ? part : before)));
  state.keepBoth = false;
  render();
  tell(words);
}

function choose(picks) {
  const asPicked = ({ readings }, at, answer) => same(readings[answer].part, picks[at]);
  const whole = values.find((_, answer) => differences.every((each, at) => asPicked(each, at, answer)));
  const mixed = () => picks.reduce((value, part) => withPart(question, value, part), values[0]);
  Object.assign(state, { picks, value: picks.every(Boolean) ? (whole ?? mixed()) : null, keepBoth: false });
}

// The chosen part of each difference, or null while it is open.
function chosen() {
  if (state.keepBoth) return differences.map(() => null);
  if (!state.value) return state.picks;
  const all = parts(question, [...values, state.value]);
  return differences.map(({ at }) => all.find((each) => each.at === at)?.readings.at(-1).part ?? null);
}

// Choose the next reading of a difference.
function cycle(number) {
  const { choices } = chips[number];
  const now = choices.findIndex(({ part }) => same(part, chosen()[number]));
  choices[(now + 1) % choices.length].button.click();
}

// ── the bar ──────────────────────────────────────────────────────────────────────────────────────────────────────
for (const button of uses) {
  button.addEventListener("click", () => {
    const at = Number(button.dataset.use);
    choose(differences.map(({ readings }) => readings[at].part));
    state.value = values[at];
    render();
    tell(`Answer ${given[at].letter} is chosen.`);
  });
}

takeMajority.addEventListener("click", () => {
  const now = chosen();
  choose(majority.map((part, at) => part ?? now[at]));
  render();
  tell(missing() || "The majority is chosen.");
});

one("[data-keep]")?.addEventListener("click", () => {
  Object.assign(state, { keepBoth: !state.keepBoth, value: null });
  render();
  tell(state.keepBoth ? "All answers are kept." : "Nothing is chosen.");
});

one("[data-reason]").addEventListener("click", () => showReason(one("#reason").hidden));
one("[data-edit]").addEventListener("click", () => (state.editor ? closeEditor() : openEditor()));
form.addEventListener("submit", (event) => {
  const open = missing();
  if (!open) return;
  event.preventDefault();
  tell(open);
});

// What a decision still needs, or "".
function missing() {
  const { value, keepBoth, editor } = state;
  if (editor && !editor.complete(value)) return editor.refuse?.(value) || "Complete the answer first.";
  if (value || keepBoth) return "";
  const open = state.picks.filter((part) => !part).length;
  return open < differences.length ? `${open} open: ${openLabels()}` : "Choose an answer first.";
}

function openLabels() {
  return chips
    .filter((_, at) => !state.picks[at])
    .map(({ label }) => label)
    .join("; ");
}

function showReason(shown) {
  one("#reason").hidden = !shown;
  one("[data-reason]").setAttribute("aria-expanded", String(shown));
  (shown ? one("#id_note") : one("[data-reason]")).focus();
}

function openEditor() {
  state.before = state.value;
  state.keepBoth = false;
  work.classList.add("editing");
  state.editor = mount(document.getElementById("task"), {
    content,
    value: state.value,
    disabled: false,
    given,
    strings,
    language,
    direction,
    onChange(next, words) {
      state.value = next;
      render();
      tell(words);
    },
  });
  one("#ask").replaceChildren(...state.editor.heading());
  render();
  tell("");
  one("#ask").focus();
}

// An incomplete answer is dropped.
function closeEditor() {
  if (!state.editor.complete(state.value)) state.value = state.before;
  state.editor.destroy();
  state.editor = null;
  work.classList.remove("editing");
  render();
  tell("");
  document.getElementById("question-heading").focus();
}

// ── display ──────────────────────────────────────────────────────────────────────────────────────────────────────
function render() {
  const now = chosen();
  const isAnswer = (at) => (differences.length ? differences.every((each, n) => isReading(each, n, at)) : isValue(at));
  const isReading = ({ readings }, n, at) => same(readings[at].part, now[n]);
  const isValue = (at) => same(values[at], state.value);
  chips.forEach(({ element, choices }, at) => {
    element.classList.toggle("open", !now[at]);
    for (const { part, button } of choices) button.setAttribute("aria-pressed", String(same(part, now[at])));
  });
  for (const button of uses) {
    const pressed = Boolean(state.value) && isAnswer(Number(button.dataset.use));
    button.setAttribute("aria-pressed", String(pressed));
  }
  one("[data-keep]")?.setAttribute("aria-pressed", String(state.keepBoth));
  one("[data-edit]").setAttribute("aria-pressed", String(Boolean(state.editor)));
  fields.value.value = state.value ? JSON.stringify(state.value) : "";
  fields.keepBoth.value = state.keepBoth ? "on" : "";
  if (!state.editor) drawing.show(state.value);
}

function drawSideBySide() {
  for (const each of all("[data-place]", place)) {
    const { value } = given[Number(each.dataset.place)];
    if (picture) picture(each, { content, value, strings, language, direction });
  }
  return { light };
}

function light(at) {
  const difference = differences.find((each) => each.at === at);
  for (const [element, answer] of drawnParts())
    element.classList.toggle("on", Boolean(difference) && isAt(element, difference.readings[answer].at));
}

// The elements of the drawing that stand for a part, each with the number of its answer.
function drawnParts() {
  const elements = /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[data-part]"));
  return [...elements].map((element) => {
    const own = /** @type {HTMLElement | null} */ (element.closest("[data-place]"));
    return /** @type {const} */ ([element, Number(own?.dataset.place ?? 0)]);
  });
}

function isAt(element, at) {
  return Boolean(at) && element.dataset.part.split(" ").includes(at);
}

// A press on a differing part chooses the reading of its answer or, in the drawing of all answers, the next reading.
function markDifferences() {
  for (const [element, answer] of drawnParts()) {
    const number = differences.findIndex(({ readings }) => isAt(element, readings[answer].at));
    element.toggleAttribute("data-marked", number >= 0); // drawings set their own classes again
    if (number < 0) continue;
    const { readings, label } = differences[number];
    const { part, words } = readings[answer];
    element.onclick = () => (compare ? cycle(number) : pick(number, part, `${label}: ${words}`));
  }
}

function tell(words) {
  document.getElementById("said").textContent = words;
}

function parsed(value) {
  return typeof value === "string" ? JSON.parse(value) : value;
}

// ── keys ─────────────────────────────────────────────────────────────────────────────────────────────────────────
// After a decision, the browser loads the next question. Without a new focus, screen readers would start at the top.
if (new URLSearchParams(location.search).has("decided")) document.getElementById("question-heading").focus();

document.addEventListener("keydown", (event) => {
  const target = targetOf(event);
  if (event.defaultPrevented || event.altKey || event.repeat || target.closest("dialog")) return;
  const writes = target.closest("textarea, input:not([type=radio], [type=checkbox])");
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return form.requestSubmit();
  if (event.ctrlKey || event.metaKey) return;
  if (writes) return;
  if (event.key === "Enter") {
    if (target.closest("a, summary, button:not([aria-pressed='true'])")) return; // Enter on a chosen answer saves it
    event.preventDefault();
    form.requestSubmit();
  } else if ((recall(SINGLE_KEYS) ?? true) && (state.editor ? state.editor.key(event) : press(event)))
    event.preventDefault();
});

// Esc closes the reason or the editor, and otherwise leads to the list. In the editor, it first ends a selection. This
// listener comes before those of the editor and of all console pages, which take every Esc.
document.addEventListener(
  "keydown",
  (event) => {
    const target = targetOf(event);
    if (event.key !== "Escape" || one(":is(dialog, details[data-floats])[open]")) return;
    if (target.closest("#task [role=listbox]") && one("#task [aria-selected='true']")) return;
    if (target.closest("#task input[type=text]")) return;
    event.stopPropagation();
    if (target.closest("#reason")) showReason(false);
    else if (state.editor) closeEditor();
    else one("[data-back]").click();
  },
  true,
);

// Presses the control of the page that has this key. Digits choose the next reading of a difference.
function press(event) {
  const names = namesOf(event);
  const number = names.map(Number).find((digit) => digit >= 1 && digit <= chips.length);
  const control = [...all("[data-key]")].find(({ dataset, hidden }) => !hidden && names.includes(dataset.key));
  if (number) cycle(number - 1);
  else control?.click();
  return Boolean(number || control);
}
