// A complete HIT on a host: one question at a time, immediate feedback on missed gold questions, and one form at the end.
// `state` contains everything that can change, and `render` shows the state.

import { createClock } from "../annotate/clock.js";
import { same } from "../annotate/dom.js";
import { at, createHit, renderParts, renderProgress } from "../annotate/life.js";
import { createHost } from "./host.js";
import { createKept } from "./kept.js";
import { readPlatform } from "./platform.js";
import { open } from "./sealed.js";

prepareDocument();
const { mount } = await import(moduleUrl());
const row = at("row").textContent.trim();
begin(await open(row));

function begin(contents) {
  const page = readJson("page");
  const { strings } = page;
  const platform = readPlatform(location.search, page.origins);
  const kept = createKept({ ...page, row, platform });
  const clock = createClock(platform.assignment ?? "none");
  const questions = contents.map((question) => ({ ...question, content: { ...page.content, ...question.content } }));
  const instructions = /** @type {HTMLDetailsElement} */ (at("instructions"));
  const state = {
    index: 0,
    phase: "answer", // answer | compare | sent
    hint: "",
    answers: kept.read(unanswered) ?? questions.map(unanswered),
  };
  const hit = createHit({
    mount,
    shared: () => ({ strings: page.taskStrings, language: page.language, direction: page.direction }),
    strings,
    clock: () => clock,
    answering: () => state.phase === "answer" && !locked(),
    next,
    back,
    closed: () => false,
    single: () => true,
    open: (panel) => panel === "instructions" && toggleInstructions(),
  });
  const host = createHost({ root: at("hit"), answers: field("answers"), platform, asked: next });
  at("preview").hidden = !platform.preview;
  instructions.open = !kept.hasRead();
  instructions.addEventListener("toggle", () => !instructions.open && !platform.preview && kept.setRead());
  at("elsewhere").hidden = platform.preview || host.accepts;
  const unseen = state.answers.findIndex((answer) => answer.feedback === "shown");
  const first = state.answers.findIndex((answer) => !answer.done);
  if (unseen >= 0) turnTo(unseen).then(() => compare(unseen));
  else turnTo(first < 0 ? questions.length - 1 : first);

  // ── from question to question ────────────────────────────────────────────────────────────────────────────────
  async function turnTo(index) {
    Object.assign(state, { index, phase: "answer" });
    const { content } = questions[index];
    hit.turnTo(index + 1, {
      content,
      value: state.answers[index].value,
      disabled: locked(),
      onChange: changed,
      onState: render,
    });
    render();
  }

  function changed(value) {
    state.answers[state.index].value = value;
    state.hint = "";
    kept.write(state.answers);
    render();
  }

  function back() {
    if (state.phase !== "answer" || state.index === 0) return;
    state.hint = "";
    turnTo(state.index - 1).then(() => at("question").focus());
  }

  async function next() {
    if (state.phase !== "answer" || platform.preview) return;
    const { index } = state;
    const answer = state.answers[index];
    if (!hit.complete(answer.value)) return tell(hit.refuse(answer.value));
    state.hint = "";
    if (!answer.final) Object.assign(answer, { seconds: clock.seconds(index + 1), done: true });
    const { gold } = questions[index];
    if (gold && answer.graded === undefined) {
      answer.graded = answer.value; // a later change does not affect the grade
      if (!hit.agrees(answer.value, gold, same)) Object.assign(answer, { final: true, feedback: "shown" });
    }
    kept.write(state.answers);
    instructions.open = false; // an answer shows that the worker has read the instructions
    if (answer.feedback === "shown") await compare(index);
    if (index === questions.length - 1) return handIn();
    await turnTo(index + 1);
    window.scrollTo(0, 0);
    at("question").focus();
  }

  async function compare(index) {
    state.phase = "compare";
    const { gold: expected, why } = questions[index];
    const given = state.answers[index].value;
    const feedback = { passed: false, expected, given, explanation: why, message: "", graded: 0, right: 0 };
    const { content } = questions[index];
    const { disputed, note } = await hit.compare({
      content,
      feedback,
      kind: "regular",
      number: index + 1,
      passMark: 0, // no rule applies to a single batch page
      shown: render,
    });
    Object.assign(state.answers[index], { feedback: disputed ? "disputed" : "seen", note });
    kept.write(state.answers);
    await turnTo(index);
  }

  // ── submission ───────────────────────────────────────────────────────────────────────────────────────────────
  function handIn() {
    if (!host.accepts) return tell(strings.cannotHandIn);
    const missing = state.answers.findIndex((answer) => !answer.done);
    if (missing >= 0) return turnTo(missing);
    state.phase = "sent";
    render();
    host.send(JSON.stringify(state.answers.map(toSend)));
  }

  function toSend({ value, graded = value, seconds, feedback, note }, index) {
    const { question, items, shown } = questions[index];
    return { position: index + 1, question, items, shown, value: graded, seconds, feedback, note: note ?? "" };
  }

  // ── display ──────────────────────────────────────────────────────────────────────────────────────────────────
  function locked() {
    return platform.preview || state.answers[state.index].final;
  }

  function toggleInstructions() {
    instructions.open = !instructions.open;
    instructions.querySelector("summary").focus();
  }

  function tell(sentence) {
    state.hint = sentence;
    render();
  }

  function render() {
    const { index, phase, answers, hint } = state;
    const answer = answers[index];
    renderParts({
      compared: phase === "compare",
      final: answer.final,
      first: index === 0,
      ready: phase === "answer" && !platform.preview && hit.complete(answer.value),
      label: index === questions.length - 1 ? strings.handIn : strings.next,
      button: hit.button(),
    });
    if (at("saved").textContent !== hint) at("saved").textContent = hint;
    renderProgress({ text: strings.progress, index, done: answers.map(({ done }) => done), plain: true });
  }
}

// The host's document is not the page's own, so scripts find the language and the icons only after these assignments.
function prepareDocument() {
  const root = document.documentElement;
  root.lang ||= at("hit").lang;
  root.dir ||= at("hit").dir;
  root.dataset.icons = "";
}

// The task type's module is text next to this script.
function moduleUrl() {
  return URL.createObjectURL(new Blob([at("module").textContent], { type: "text/javascript" }));
}

function unanswered() {
  return { value: null, seconds: 0, done: false, final: false, feedback: null };
}

function field(id) {
  return /** @type {HTMLInputElement} */ (at(id));
}

function readJson(id) {
  return JSON.parse(at(id).textContent);
}
