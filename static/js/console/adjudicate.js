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

const module = await import(form.dataset.module);
const { mount, picture, compare, showQuestion } = module;
const { blank, conflict, lacking, parts, withPart } = module.reviewing ? await module.reviewing() : module;
const question = { content, strings };
const differences = differing();
const majority = differences.map(majorityOf);

// value: the decision so far, or null; picks: the chosen part of each difference while some are open; editor: the task
// in the open editor, and `before`, the choices before it was opened
const state = {
  value: parsed(read("value-so-far")),
  picks: differences.map(() => null),
  keepBoth: fields.keepBoth.value === "on",
  editor: null,
  before: null,
};

const work = one(".decide");
const place = one("#answers");
const drawing = compare ? compare(place, { content, answers: given, strings, language, direction }) : drawSideBySide();
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

// Two readings that cannot both hold exclude each other: the newer choice opens the older difference again.
function pick(number, part, words) {
  const before = chosen();
  if (isOwn()) Object.assign(state, { value: withPart(question, state.value, part), keepBoth: false });
  else choose(before.map((each, at) => (at === number ? part : each)));
  if (!isOwn()) chooseBeside((at) => at === number);
  render();
  const lost = chips.filter((_, at) => at !== number && before[at] && !same(before[at], chosen()[at]));
  const fault = state.value || state.picks.every(Boolean) ? missing() : "";
  tell(
    lost.length
      ? `${words}. Cannot be combined, choose again: ${labelsOf(lost)}`
      : [words, fault].filter(Boolean).join(". "),
  );
}

// Open the differences whose choices cannot be combined with the new ones.
function chooseBeside(isNew) {
  const now = chosen();
  const fresh = now.filter((part, at) => part && isNew(at));
  const excluded = (part) => fresh.some((other) => conflict?.(question, part, other));
  choose(now.map((part, at) => (part && !isNew(at) && excluded(part) ? null : part)));
}

function choose(picks) {
  Object.assign(state, { picks, value: picks.every(Boolean) ? combined(picks) : null, keepBoth: false });
}

// The answer with all chosen parts, or null if no answer has them all. It is one of the annotators' answers, unless the
// task type has an answer without the parts that nobody chooses. Parts are put in twice, because a mark on a chunk fits
// only after the chunk's links are gone.
function combined(picks) {
  const hasAll = (answer) => same(chosenIn(answer), picks);
  const bases = blank ? [blank(question, values)] : values;
  const mixed = () => [...picks, ...picks].reduce((value, part) => withPart(question, value, part), bases[0]);
  return [...bases, mixed()].find(hasAll) ?? null;
}

// The chosen part of each difference, or null while it is open.
function chosen() {
  if (state.keepBoth) return differences.map(() => null);
  return state.value ? chosenIn(state.value) : state.picks;
}

function chosenIn(value) {
  const all = parts(question, [...values, value]);
  return differences.map(({ at }) => all.find((each) => each.at === at)?.readings.at(-1).part ?? null);
}

// Whether the decision has a part that no annotator chose.
function isOwn() {
  if (!state.value) return false;
  return parts(question, [...values, state.value]).some(({ readings }) => {
    const own = readings.at(-1);
    return readings.slice(0, -1).every(({ part }) => !same(part, own.part));
  });
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
  chooseBeside((at) => Boolean(majority[at]));
  render();
  tell(missing() || "The majority is chosen.");
});

one("[data-keep]")?.addEventListener("click", () => {
  Object.assign(state, { keepBoth: !state.keepBoth, value: null });
  render();
  tell(state.keepBoth ? `All answers are kept. ${form.dataset.keeping}`.trim() : "Nothing is chosen.");
});

one("[data-reason]").addEventListener("click", () => showReason(one("#reason").hidden));
one("[data-edit]").addEventListener("click", () => (state.editor ? closeEditor() : openEditor()));
one("[data-cancel]").addEventListener("click", () => closeEditor(state.before));
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
  if (keepBoth) return "";
  const gap = value && lacking?.(question, value);
  if (gap) return `${gap} To do so, press Own answer.`;
  if (value) return "";
  const open = chips.filter((_, at) => !state.picks[at]);
  if (!open.length && chips.length) {
    return `These choices contradict each other: ${labelsOf(chips)}. Change one of them, or press Own answer.`;
  }
  return open.length < chips.length ? `Not chosen yet: ${labelsOf(open)}` : "Choose an answer first.";
}

function labelsOf(some) {
  return some.map(({ label }) => label).join("; ");
}

function showReason(shown) {
  one("#reason").hidden = !shown;
  one("[data-reason]").setAttribute("aria-expanded", String(shown));
  (shown ? one("#id_note") : one("[data-reason]")).focus();
}

function openEditor() {
  const { value, picks, keepBoth } = state;
  state.before = { value, picks, keepBoth };
  state.keepBoth = false;
  work.classList.add("editing");
  showKeys(false);
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

// `back` restores the earlier choices. An incomplete answer cannot be shown or saved, so that it restores them too.
function closeEditor(back = null) {
  const dropped = !back && !same(state.value, state.before.value) && !state.editor.complete(state.value);
  if (back || !state.editor.complete(state.value)) Object.assign(state, state.before);
  state.editor.destroy();
  state.editor = null;
  work.classList.remove("editing");
  showKeys(true);
  render();
  tell(dropped ? "Your incomplete answer was discarded." : "");
  document.getElementById("question-heading").focus();
}

// In the editor, single keys belong to the annotators' task.
function showKeys(shown) {
  for (const control of all("[data-key], [data-back]")) {
    for (const key of all("kbd", control)) key.hidden = !shown && !control.matches("[data-use]");
    if (!control.dataset.key) continue;
    if (shown) control.setAttribute("aria-keyshortcuts", control.dataset.key.toUpperCase());
    else control.removeAttribute("aria-keyshortcuts");
  }
}

// ── display ──────────────────────────────────────────────────────────────────────────────────────────────────────
function render() {
  const now = chosen();
  chips.forEach(({ element, choices }, at) => {
    element.classList.toggle("open", !now[at]);
    for (const { part, button } of choices) button.setAttribute("aria-pressed", String(same(part, now[at])));
  });
  for (const button of uses) {
    const pressed = Boolean(state.value) && isAnswer(Number(button.dataset.use));
    button.setAttribute("aria-pressed", String(pressed));
  }
  takeMajority.setAttribute("aria-pressed", String(majority.every((part, at) => part && same(part, now[at]))));
  one("[data-keep]")?.setAttribute("aria-pressed", String(state.keepBoth));
  one("[data-edit]").setAttribute("aria-pressed", String(Boolean(state.editor) || isOwn()));
  one("[data-cancel]").hidden = !state.editor;
  fields.value.value = state.value ? JSON.stringify(state.value) : "";
  fields.keepBoth.value = state.keepBoth ? "on" : "";
  if (!state.editor) drawing.show(state.value, state.keepBoth ? [] : state.picks.filter(Boolean));
}

// Whether the decision is this annotator's answer.
function isAnswer(at) {
  if (!differences.length) return same(values[at], state.value);
  const now = chosen();
  return !isOwn() && differences.every(({ readings }, number) => same(readings[at].part, now[number]));
}

function drawSideBySide() {
  for (const each of all("[data-place]", place)) {
    const { value } = given[Number(each.dataset.place)];
    if (picture) picture(each, { content, value, strings, language, direction });
  }
  return { light, show: showDecision };
}

// A decision that differs from each answer is drawn beside the answers.
function showDecision(value) {
  one("[data-decision]")?.remove();
  if (!value || !picture || given.some((_, at) => isAnswer(at))) return;
  const drawn = h("div", {});
  one("#answers").append(h("div", { class: "answer", "data-decision": true }, h("h2", {}, "Decision"), drawn));
  picture(drawn, { content, value, strings, language, direction });
}

function light(at) {
  const difference = differences.find((each) => each.at === at);
  for (const [element, answer] of drawnParts())
    element.classList.toggle("on", Boolean(difference) && isAt(element, difference.readings[answer].at));
}

// The elements of the drawing that stand for a part, each with the number of its answer.
function drawnParts() {
  const selector = "[data-part]:not([data-decision] *)";
  const elements = /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll(selector));
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
