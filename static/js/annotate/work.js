// The work page: one question at a time, from the first of an assignment to its submission, then the next assignment.
// All that can change is in `state`; `render` shows it.

import { createClient, Refused, Unreachable } from "./api.js";
import { createClock } from "./clock.js";
import { h, icon, money, readStrings, same, say } from "./dom.js";
import { at, createHit } from "./life.js";
import { createOutbox } from "./outbox.js";
import { createPanels } from "./panels.js";
import { given, onScreen, renderPage } from "./screen.js";

const { api, token, hub, work } = document.body.dataset;
const strings = readStrings("strings");
const taskStrings = readStrings("task-strings");
const initial = JSON.parse(document.getElementById("assignment").textContent);
const client = createClient(api, token);

const state = {
  assignment: null,
  index: 0,
  phase: "answer", // answer | compare | notice
  busy: false,
  saved: "", // "" | saving | saved | kept
  hint: "", // a sentence in place of the saving state
  news: "", // what became of the assignment before, above the first question of this one
  newsRead: false, // something has been chosen since
  late: [], // feedback on answers that got through late, to be shown next
};
let clock = null;
let outbox = null;
const { mount } = await import(initial.study.module);
const panels = createPanels({ client, strings, clock: () => clock, onChange: render });

const hit = createHit({
  mount,
  shared: () => ({
    strings: taskStrings,
    language: state.assignment.study.language,
    direction: state.assignment.study.direction,
  }),
  strings,
  clock: () => clock,
  answering: () => state.phase === "answer" && !current().final,
  next,
  back,
  closed: () => panels.isOpen(),
  single: () => panels.singleKeys(),
  open: (panel) => panels.open(panel),
});
document.addEventListener("visibilitychange", () => document.hidden && outbox?.retry()); // left, perhaps for good
begin(initial);

// ── from assignment to assignment ──────────────────────────────────────────────────────────────────────────────
async function begin(assignment, news = "") {
  outbox?.close();
  clock?.destroy();
  const ended = ["done", "surplus", "void"].includes(assignment.state);
  Object.assign(state, { assignment, busy: false, saved: "", hint: "", news, newsRead: false, late: [] });
  clock = createClock(assignment.id);
  outbox = createOutbox(client, assignment, { onState: saved, onOutcome: gotThroughLate, onRefused: refused });
  for (const [position, { give, draft }] of outbox.waiting) {
    const question = questionAt(position);
    if (give) question.held = give.value;
    if (draft !== undefined) question.draft = draft;
  }
  const url = work.replace("ASSIGNMENT", assignment.id);
  if (location.pathname !== url) history.replaceState(null, "", url);
  if (assignment.kind === "regular") panels.keepUntil(assignment.lease_until);
  outbox.retry();

  const open = assignment.questions.map((question) => question.feedback).filter(Boolean);
  if (open.length) await compare(open);
  if (ended) return goOn();
  const first = assignment.questions.findIndex((one) => !one.final && (given(one) === null || one.draft !== null));
  turnTo(first < 0 ? assignment.questions.length - 1 : first);
}

async function goOn() {
  await guarded(async () => follow(await client.claim()));
}

function follow(claimed, news = "") {
  return claimed?.assignment ? begin(claimed.assignment, news) : leave();
}

function leave() {
  outbox.close();
  location.assign(hub);
}

// ── from question to question ──────────────────────────────────────────────────────────────────────────────────
function current() {
  return state.assignment.questions[state.index];
}

function questionAt(position) {
  return state.assignment.questions.find((question) => question.position === position);
}

function turnTo(index, hint = state.hint) {
  Object.assign(state, { index, hint, phase: "answer", busy: false });
  const question = current();
  const { content, final } = question;
  hit.turnTo(question.position, { content, value: onScreen(question), disabled: final, onChange: changed });
  render();
  window.scrollTo({ top: 0, behavior: "instant" });
  at("question").focus();
}

function changed(value) {
  const question = current();
  question.draft = value;
  Object.assign(state, { hint: "", saved: "", newsRead: true });
  outbox.draft(question.position, value);
  render();
}

async function back() {
  if (state.phase !== "answer" || state.busy || state.index === 0) return;
  Object.assign(state, { hint: "", news: "" });
  await guarded(async () => {
    await learnFinals();
    turnTo(state.index - 1);
  });
}

// Gold that was answered as expected gives no sign of itself until one comes back to it.
async function learnFinals() {
  try {
    const { questions } = await client.assignment(state.assignment.id);
    for (const { position, final, value } of questions) {
      if (final) Object.assign(questionAt(position), { final, value, draft: null });
    }
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error; // offline: the server will say so when the answer is given
  }
}

async function next() {
  if (state.phase !== "answer" || state.busy) return;
  const question = current();
  const value = onScreen(question);
  if (!hit.complete(value)) return tell(hit.refuse(value));
  Object.assign(state, { hint: "", news: "" });
  const isNew = !question.final && !same(value, given(question));
  await guarded(async () => {
    if (state.index === state.assignment.questions.length - 1) return submit(question, value, isNew);
    if (isNew || question.draft !== null) return give(question, value);
    return turnTo(state.index + 1);
  });
}

async function give(question, value) {
  const outcome = await outbox.give(question.position, value, clock.seconds(question.position));
  question.held = value;
  if (!same(onScreen(question), value)) return turnTo(state.index); // changed while this was under way
  question.draft = null;
  if (outcome) await heard(outcome);
  await comparedLate();
  turnTo(state.index + 1);
}

async function submit(question, value, isNew) {
  if (isNew) outbox.hold(question.position, value, clock.seconds(question.position));
  const { receipt, next: claimed } = await outbox.submit();
  await compare([...state.late.splice(0), ...receipt.feedback]);
  if (receipt.stopped) return leave();
  return follow(claimed, handedIn(receipt));
}

function handedIn({ state: became, credited, reward, currency }) {
  if (state.assignment.kind === "practice") return strings.practiceOver;
  if (!credited || Number(reward) === 0) return strings.handedIn;
  const words = became === "surplus" ? strings.handedInSurplus : strings.handedInPaid;
  return say(words, { amount: money(reward, currency) });
}

// ── what the server says ───────────────────────────────────────────────────────────────────────────────────────
async function heard({ feedback, stopped }) {
  await compare(feedback);
  if (stopped) {
    leave();
    await new Promise(() => {}); // the page is going away: nothing after this happens
  }
}

async function compare(feedbacks) {
  for (const feedback of feedbacks) {
    const question = questionAt(feedback.position);
    Object.assign(question, { final: true, feedback: null, value: feedback.given, draft: null });
    Object.assign(state, { phase: "compare", index: state.assignment.questions.indexOf(question) });
    const { kind } = state.assignment;
    const { disputed, note } = await hit.compare({ content: question.content, feedback, kind, shown: render });
    outbox.acknowledge(feedback.position, disputed, note);
  }
}

function gotThroughLate(_position, outcome) {
  state.late.push(...outcome.feedback);
  state.stoppedLate ||= outcome.stopped;
  if (state.phase === "answer" && !state.busy && (state.late.length || state.stoppedLate)) {
    const here = state.index;
    comparedLate().then(() => turnTo(here));
  }
}

async function comparedLate() {
  const here = state.index;
  await heard({ feedback: state.late.splice(0), stopped: state.stoppedLate });
  state.index = here;
}

// Run `work` as the one thing that is going on; what is refused is explained, what does not get through is said.
async function guarded(work) {
  state.busy = true;
  render();
  try {
    await work();
  } catch (error) {
    if (error instanceof Unreachable) notice(strings.unreachable, strings.tryAgain, goOn);
    else if (error instanceof Refused) refused(error);
    else throw error;
  } finally {
    state.busy = false;
    render();
  }
}

function refused(error) {
  if (error.code === "consent" || error.code === "stopped") leave();
  else if (error.code === "submitted") notice(strings.submittedElsewhere, strings.goOn, goOn);
  else if (error.code === "incomplete") turnTo(Number(Object.keys(error.fields)[0].split(".")[1]) - 1, error.message);
  else if (error.code === "invalid") tell(error.message);
  else if (error.code === "unknown") notice(error.message, strings.overview, leave);
  else notice(error.message || strings.failed, strings.reload, () => location.reload());
}

function notice(message, action, act) {
  state.phase = "notice";
  clock.pause();
  const button = h("button", { class: "b b-main b-big", type: "button", onclick: act }, action);
  at("feedback").replaceChildren(
    h(
      "section",
      { class: "note", role: "alert" },
      h("span", { class: "disc", "aria-hidden": "true" }, icon("info")),
      h("div", {}, h("h1", {}, message), h("p", {}, strings.nothingLost), h("div", { class: "acts" }, button)),
    ),
  );
  render();
  button.focus();
}

function saved(how) {
  state.saved = how;
  render();
}

function tell(sentence) {
  state.hint = sentence;
  render();
}

function render() {
  renderPage(state, { hit, strings, singleKeys: panels.singleKeys() });
}
