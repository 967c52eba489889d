// A layout of a Mechanical Turk project, which runs in a sandboxed frame. README.md describes the contract. A value is
// {fields}: the values of the form by name.
//
// The frame can be broken by its own scripts, or can be led to another page. It therefore has to answer regularly, and
// is loaded again otherwise. Nothing that the frame sends is trusted: sizes and types are checked here, and the server
// checks each value.

import { h, say } from "../js/annotate/dom.js";
import { stepFrom } from "../js/annotate/steps.js";
import { recall } from "../js/annotate/storage.js";

const BEAT = 2000; // ms between two questions to the frame
const SILENCE = 8000; // ms without an answer, after which the frame is loaded again
const FIRST_LOAD = 30_000; // ms until the empty page must have arrived, over a slow connection
const RELOADS = 3;
const [LOWEST, TALLEST] = [120, 8000]; // px
const LARGEST = 200_000; // characters of an answer, the same limit as in layouts/answer.py
const MOST_FIELDS = 400;
const SANDBOX = "allow-scripts allow-forms";

export function mount(root, { content, value, disabled, onChange, onState, strings, language, direction }) {
  // ready: the form accepts this value. A form with scripts decides only when it is submitted. submits: the form has a
  // visible button that submits it.
  const state = { value, ready: hasRequired(value), submits: false, port: null, heardAt: 0, reloads: 0, initial: "" };
  const note = h("p", { class: "notice warn", role: "status", hidden: true });
  const place = h("div", { class: "layout-place" });
  root.replaceChildren(note, place);
  let frame = null;
  window.addEventListener("message", greeted);
  const beat = setInterval(ask, BEAT);
  load();

  // ── the frame ────────────────────────────────────────────────────────────────────────────────────────────────
  function load() {
    state.port?.close();
    Object.assign(state, { port: null, heardAt: performance.now() });
    frame = h("iframe", { class: "layout-frame", sandbox: SANDBOX, title: strings.frame, src: content.frame });
    frame.addEventListener("load", doubt);
    place.replaceChildren(frame);
  }

  // A frame that has loaded the empty page again, for example by `location.reload()`, also reports that it is ready. A
  // layout can send the same message, but then the port to its page still answers.
  function greeted(event) {
    if (event.source !== frame.contentWindow || event.data?.type !== "ready") return;
    if (!state.port) return greet();
    const [port, asked] = [state.port, performance.now()];
    port.postMessage({ type: "ping" });
    setTimeout(() => port === state.port && state.heardAt < asked && again() && greet(), BEAT / 4);
  }

  function greet() {
    state.heardAt = performance.now();
    const { port1, port2 } = new MessageChannel();
    state.port = port1;
    port1.onmessage = ({ data }) => port1 === state.port && heard(data);
    const { html, fields, scripts } = content;
    const shown = { value: state.value, disabled: Boolean(disabled), language, direction };
    const start = { type: "start", html, fields, scripts: Boolean(scripts), keys: keys(), ...shown };
    frame.contentWindow.postMessage(start, "*", [port2]); // the origin of the frame is opaque, so it cannot be named
  }

  // The frame has loaded the question, or has opened another page, which does not answer.
  function doubt() {
    state.heardAt = Math.min(state.heardAt, performance.now() - SILENCE + BEAT / 2);
    ask();
    setTimeout(ask, BEAT / 2 + 50);
  }

  function ask() {
    if (!root.contains(place)) return; // the page has gone on
    if (document.hidden) state.heardAt = performance.now();
    else if (performance.now() - state.heardAt > (state.port ? SILENCE : FIRST_LOAD) && again()) load();
    state.port?.postMessage({ type: "ping", keys: keys() });
  }

  // The frame cannot read what the annotator has chosen in the list of keys.
  function keys() {
    return { single: recall("accord:single-keys") ?? true, everywhere: recall("accord:tab-stops") ?? false };
  }

  // Whether the frame can be loaded once more.
  function again() {
    if (state.reloads > RELOADS) return false;
    state.reloads += 1;
    tell(state.reloads > RELOADS ? strings.broken : strings.reloaded);
    return state.reloads <= RELOADS;
  }

  function tell(text) {
    note.hidden = !text;
    note.textContent = text;
  }

  // ── messages from the frame ──────────────────────────────────────────────────────────────────────────────────
  function heard(data) {
    state.heardAt = performance.now();
    if (data?.type === "height") resize(data.height);
    else if (data?.type === "leave") stepFrom(frame, data.by === 1 ? 1 : -1, keys().everywhere);
    else if (data?.type === "link") openLink(data.href, content.hosts);
    else if (["loaded", "shown", "pong", "changed", "submitted"].includes(data?.type)) received(data);
  }

  function resize(height) {
    if (Number.isFinite(height)) frame.style.blockSize = `${Math.min(Math.max(height, LOWEST), TALLEST)}px`;
  }

  function received({ type, fields, valid, submits }) {
    if (disabled) return;
    const before = [state.ready, state.submits];
    state.submits = submits === true;
    accept({ type, fields, valid });
    if (before[0] !== state.ready || before[1] !== state.submits) onState?.();
    if (type === "submitted") root.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  }

  function accept({ type, fields, valid }) {
    const next = checked(fields);
    if (!next) return tell(strings.tooLarge);
    const isFirst = ["loaded", "shown"].includes(type);
    const isNew = !state.value || !sameFields(next, state.value.fields);
    if (isFirst && !state.value) state.initial = JSON.stringify(next);
    else if (!isFirst && isNew && (state.value || type === "submitted" || JSON.stringify(next) !== state.initial)) {
      state.value = { fields: next };
      state.ready = isReady(type, valid);
      onChange(state.value, "");
    } else if (type !== "pong" || !content.scripts) state.ready = isReady(type, valid);
  }

  // Whether a stored value has all required fields, before the frame has said whether the form accepts the value.
  function hasRequired(stored) {
    const lacks = ({ name, required }) => required && ["", "false"].includes(String(stored.fields[name] ?? ""));
    return Boolean(stored) && !content.scripts && !content.fields.some(lacks);
  }

  function isReady(type, valid) {
    return content.scripts ? type === "submitted" : valid === true;
  }

  return {
    heading: () => [content.heading || strings.heading],

    setValue(next) {
      Object.assign(state, { value: next, ready: false });
      if (next) state.port?.postMessage({ type: "set", value: next });
    },

    key: () => false,

    complete: (candidate) => Boolean(disabled) || (Boolean(candidate) && state.ready),

    button() {
      if (disabled) return "";
      return state.submits ? "own" : content.scripts ? "asks" : "";
    },

    // The form marks the field that is missing. If nothing is missing, the form is submitted, and the page goes on.
    refuse() {
      if (!state.port) return strings.loading;
      state.port.postMessage({ type: "submit" });
      return strings.incomplete;
    },

    // Below the comparison, the form with the annotator's answer shows what the fields asked.
    feedback(panel, { expected, given }) {
      const difference = showFeedback(panel, { expected, given, strings });
      state.value = given;
      load();
      panel.append(place);
      return difference;
    },

    destroy() {
      clearInterval(beat);
      window.removeEventListener("message", greeted);
      state.port?.close();
      root.replaceChildren();
    },
  };
}

// Opens a link of the layout in a new tab if its host is in the list of the study, such as https://*.example.org.
function openLink(href, hosts) {
  if (typeof href !== "string" || !URL.canParse(href)) return;
  const { origin } = new URL(href);
  const isAllowed = (host) => (host.includes("*.") ? origin.endsWith(host.replace("https://*", "")) : origin === host);
  if (origin.startsWith("https://") && hosts.some(isAllowed)) window.open(href, "_blank", "noopener,noreferrer");
}

// The values that the frame sent, or null if they are not values of a form or are too large.
function checked(fields) {
  if (typeof fields !== "object" || fields === null) return null;
  const entries = Object.entries(fields);
  const isField = ([, value]) =>
    typeof value === "string" ||
    typeof value === "boolean" ||
    (Array.isArray(value) && value.every((each) => typeof each === "string"));
  if (entries.length > MOST_FIELDS || !entries.every(isField)) return null;
  return JSON.stringify(fields).length > LARGEST ? null : Object.fromEntries(entries);
}

// Whether the form shows these values. Stored numbers are texts in the form, and an answer need not have every field.
function sameFields(shown, stored) {
  return Object.keys(shown).every((name) => !(name in stored) || plain(shown[name]) === plain(stored[name]));
}

// ── answers without the form ───────────────────────────────────────────────────────────────────────────────────
export function picture(root, { value, strings, language, direction }) {
  const rows = Object.entries(value.fields).map(([name, own]) =>
    h(
      "div",
      { "data-part": name },
      h("dt", {}, name),
      h("dd", { lang: language, dir: direction || "auto" }, inWords(own, strings)),
    ),
  );
  root.replaceChildren(h("dl", { class: "layout-fields" }, ...rows));
}

// The layout with the row that was judged, because the pictures of its answers show the fields only.
export function showQuestion(root, { content, strings, language, direction }) {
  const nothing = () => {};
  const still = { value: null, disabled: true, onChange: nothing, onState: nothing };
  mount(root, { content, ...still, strings, language, direction });
  root.classList.add("layout-asked");
}

// The fields of several answers, for a reviewer who decides between them. Free text needs no decision, unless the form
// has no other fields.
export function parts({ content, strings }, values) {
  const everything = [...new Set(values.flatMap(({ fields }) => Object.keys(fields)))];
  const texts = content.fields.filter(({ kind }) => kind === "text").map(({ name }) => name);
  const closed = everything.filter((name) => !texts.includes(name));
  const names = closed.length ? closed : everything;
  return names.map((name) => ({
    at: name,
    label: name,
    readings: values.map(({ fields }) => ({
      at: name,
      part: { name, value: fields[name] ?? "" },
      words: inWords(fields[name], strings),
    })),
  }));
}

// An answer without the texts that need no decision, so that the annotators' votes still decide on them. A required text
// is the most frequent one.
export function blank(question, values) {
  const decided = parts(question, values).map(({ at }) => at);
  const fields = { ...values[0].fields };
  for (const { name, required } of question.content.fields) {
    if (decided.includes(name) || !(name in fields)) continue;
    const texts = values.map((value) => value.fields[name]);
    const votes = (text) => texts.filter((each) => each === text).length;
    fields[name] = required ? texts.toSorted((one, other) => votes(other) - votes(one))[0] : "";
  }
  return { fields };
}

export function withPart(_, { fields }, { name, value }) {
  return { fields: { ...fields, [name]: value } };
}

function showFeedback(place, { expected, given, strings }) {
  const names = Object.keys(expected.fields);
  const isSame = (name) => plain(expected.fields[name]).toLowerCase() === plain(given.fields[name]).toLowerCase();
  const differing = names.filter((name) => !isSame(name));
  const columns = [strings.field, strings.yours, strings.expected];
  const rows = names.map((name) =>
    h(
      "tr",
      { class: differing.includes(name) ? "differs" : null },
      h("th", { scope: "row" }, name),
      h("td", {}, inWords(given.fields[name], strings)),
      h("td", {}, inWords(expected.fields[name], strings)),
    ),
  );
  place.replaceChildren(
    h(
      "table",
      { class: "layout-compared" },
      h("thead", {}, h("tr", {}, ...columns.map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, ...rows),
    ),
  );
  return differing
    .map((name) => {
      const [own, right] = [given, expected].map(({ fields }) => inWords(fields[name], strings));
      return say(strings.differently, { name, given: own, expected: right });
    })
    .join(" ");
}

function plain(value) {
  return JSON.stringify(typeof value === "number" ? String(value) : (value ?? ""));
}

function inWords(value, strings) {
  if (typeof value === "boolean") return value ? strings.yes : strings.no;
  const text = Array.isArray(value) ? value.join(", ") : String(value ?? "");
  return text || strings.nothing;
}
