// The work page: one question at a time, from the first question of an assignment to its submission, followed by the
// next assignment. `state` contains everything that can change, and `render` shows the state.

import { createClient, Refused, Unreachable } from "./api.js";
import { breakDue } from "./breaks.js";
import { createChoices } from "./choices.js";
import { createClock } from "./clock.js";
import { counted, readStrings, same, say } from "./dom.js";
import { at, createHit } from "./life.js";
import { receiptText, showNotice } from "./notices.js";
import { continuedWith, continueWith, keepPage } from "./offline.js";
import { createOutbox } from "./outbox.js";
import { createPanels } from "./panels.js";
import { given, onScreen, renderPage, settled, staysSkipped } from "./screen.js";

const { api, token, hub, work, owner } = document.body.dataset;
const strings = readStrings("strings");
const taskStrings = readStrings("task-strings");
const sent = JSON.parse(document.getElementById("assignment").textContent);
const addressed = location.pathname.split("/").pop();
const { earned, right, graded } = document.body.dataset;
const asSent = {
  assignment: sent,
  earned: Number(earned),
  gold: { right: Number(right ?? 0), graded: Number(graded ?? 0) },
};
const now = addressed === sent.id ? asSent : (continuedWith(owner, addressed) ?? asSent); // the page can be a copy
const initial = now.assignment;
const client = createClient(api, token);

const state = {
  assignment: null,
  index: 0,
  phase: "answer", // answer | compare | notice
  between: false, // two sets
  busy: false,
  saved: "", // "" | saving | saved | kept
  hint: "", // a sentence in place of the saving state
  news: "", // what became of the assignment before, above the first question of this one
  touched: false, // the annotator has changed the answer since this question was shown
  newsRead: false, // something has been chosen since
  feedback: [], // feedback that has arrived and has not been shown yet
  stopped: false, // the server said so
  earned: now.earned, // in this study, up to the last submission
  gold: now.gold ?? asSent.gold, // right and graded check questions, up to the last submission
};
let clock = null;
let outbox = null;
const [{ mount }, signs] = await Promise.all([import(initial.study.module), optional(initial.study.activity)]);
const panels = createPanels({
  client,
  strings,
  clock: () => clock,
  onChange: render,
  onOpen: (panel) => panel === "choices" && choices.offer(),
});
const choices = createChoices({
  client,
  strings,
  current: () => ({ assignment: state.assignment, question: current() }),
  skip,
  giveBack: (request) => outbox.giveBack(request),
  leave,
});

const hit = createHit({
  mount,
  shared: () => ({
    strings: taskStrings,
    language: state.assignment.study.language,
    direction: state.assignment.study.direction,
  }),
  strings,
  clock: () => clock,
  answering: () => state.phase === "answer" && !state.busy && !current().final,
  next,
  back,
  closed: () => panels.isOpen(),
  single: () => panels.singleKeys(),
  open: (panel) => panels.open(panel),
});
document.addEventListener("visibilitychange", () => document.hidden && outbox?.retry()); // left, perhaps for good
begin(initial);
const whenIdle = window.requestIdleCallback ?? setTimeout; // the first question comes before the copy
whenIdle(() => keepPage(owner, initial.study.module).catch((error) => console.warn(error)));

// Import a module without which the page works in the same way.
async function optional(url) {
  return url ? import(url).catch((error) => console.warn(error)) : null;
}

// ── from assignment to assignment ──────────────────────────────────────────────────────────────────────────────
async function begin(assignment, news = "") {
  outbox?.close();
  clock?.destroy();
  const ended = ["done", "surplus", "void"].includes(assignment.state);
  const blank = { busy: false, saved: "", hint: "", touched: false, newsRead: false, feedback: [], stopped: false };
  Object.assign(state, { ...blank, assignment, news });
  clock = createClock(assignment.id);
  if (signs && assignment.study.activity) clock = signs.watch(clock);
  outbox = createOutbox(client, assignment, {
    onState: saved,
    onOutcome: heard,
    onRefused: refused,
    unread: () => state.feedback.length > 0,
  });
  showAddress(assignment);
  keepUntil(assignment.lease_until);
  outbox.retry();

  state.feedback.push(...assignment.questions.map((question) => question.feedback).filter(Boolean));
  await compare();
  if (ended) return goOn();
  const first = assignment.questions.findIndex((one) => !one.final && (!settled(one) || one.draft !== null));
  const last = assignment.questions.length - 1;
  const left = assignment.questions.findIndex((one) => one.position === outbox.place());
  turnTo(left >= 0 && (first < 0 || left < first) ? left : first < 0 ? last : first); // none after the first open one
  if (assignment.guidelines.read < assignment.guidelines.version) panels.open("changed");
  if (first < 0 && outbox.submitting()) await guarded(submit); // the page was left before the server replied
}

function keepUntil(moment) {
  if (state.assignment.kind === "regular") panels.keepUntil(moment);
}

async function goOn() {
  await guarded(async () => follow(await client.claim()));
}

async function follow(claimed, news = "", left = null) {
  const practised = state.assignment.kind === "practice";
  if (!claimed?.assignment) return leave(news && !practised ? "#submitted" : "");
  continueWith(
    owner,
    { assignment: claimed.assignment, earned: state.earned, gold: state.gold },
    addressOf(claimed.assignment),
  );
  if (news && !practised) return between(claimed.assignment, news, left);
  return begin(claimed.assignment, news);
}

// A set is a good place to stop. The next set is reserved for a short time, as if it had been opened.
function between(next, news, left) {
  showAddress(next); // so that a reload opens the next set
  state.between = true;
  show({
    sign: "check",
    message: news,
    comfort: left ? counted(strings.setsLeft, left) : "",
    action: strings.nextSet,
    act: () => begin(next),
    other: strings.stopForNow,
    otherAct: () => leave("#submitted"),
  });
}

function addressOf(assignment) {
  return work.replace("ASSIGNMENT", assignment.id);
}

function showAddress(assignment) {
  if (location.pathname !== addressOf(assignment)) history.replaceState(null, "", addressOf(assignment));
}

function leave(part = "") {
  outbox.close();
  location.assign(`${hub}${part}`);
}

// ── from question to question ──────────────────────────────────────────────────────────────────────────────────
function current() {
  return state.assignment.questions[state.index];
}

function questionAt(position) {
  return state.assignment.questions.find((question) => question.position === position);
}

function turnTo(index, hint = state.hint) {
  Object.assign(state, { index, hint, phase: "answer", touched: false, between: false });
  const question = current();
  const { content, final } = question;
  outbox.stay(question.position);
  hit.turnTo(question.position, {
    content,
    value: onScreen(question),
    disabled: final,
    onChange: changed,
    onState: render,
  });
  render();
  window.scrollTo({ top: 0, behavior: "instant" });
  at("question").focus();
}

function changed(value) {
  const question = current();
  question.draft = value;
  Object.assign(state, { hint: "", saved: "", touched: true, newsRead: true });
  outbox.draft(question.position, value);
  render();
}

function back() {
  if (state.phase !== "answer" || state.busy || state.index === 0) return;
  goTo(state.index - 1);
}

function next() {
  if (state.phase !== "answer" || state.busy) return;
  const question = current();
  const value = onScreen(question);
  if (staysSkipped(question)) return goOnFromHere();
  if (!hit.complete(value)) return tell(hit.refuse(value));
  const isNew = !question.final && (!same(value, given(question)) || question.skipped);
  if (isNew || question.draft !== null) {
    Object.assign(question, { held: value, draft: null, skipped: "" });
    outbox.give(question.position, { value, ...measured(question.position) });
  }
  goOnFromHere();
}

function skip(reason) {
  const question = current();
  if (state.phase !== "answer" || state.busy || question.final) return;
  Object.assign(question, { held: null, value: null, draft: null, skipped: reason });
  outbox.give(question.position, { skipped: reason, ...measured(question.position) });
  goOnFromHere();
}

// The time on a question and, in studies that collect them, the summary of the activity on it.
function measured(position) {
  return { seconds: clock.seconds(position), activity: clock.activity?.(position) };
}

function goOnFromHere() {
  if (state.index === state.assignment.questions.length - 1) {
    guarded(submit);
  } else {
    outbox.retry();
    goTo(state.index + 1);
  }
}

// Feedback comes before the next question, but the annotator may have answered further questions before it arrives.
async function goTo(index) {
  Object.assign(state, { hint: "", news: "" });
  await showNews();
  const { break_minutes: minutes } = state.assignment.study;
  if (breakDue(minutes)) Object.assign(state, { news: say(strings.breakDue, { minutes }), newsRead: false });
  turnTo(index);
}

async function submit() {
  const last = state.assignment.questions.length - 1;
  for (;;) {
    await compare();
    if (state.phase !== "answer") turnTo(last);
    const reply = await outbox.submit();
    if (reply === null) continue; // feedback arrived first
    const { receipt, next: claimed, left, gold } = reply;
    if (gold) state.gold = gold;
    state.feedback.push(...receipt.feedback);
    if (receipt.credited) state.earned += Number(receipt.reward);
    if (["leased", "lapsed"].includes(receipt.state)) continue;
    await compare();
    return receipt.stopped ? leave() : follow(claimed, receiptText(receipt, state.assignment.kind, strings), left);
  }
}

// ── what the server says ───────────────────────────────────────────────────────────────────────────────────────
// An annotator who is answering a question is not interrupted: the feedback appears when the annotator presses the next
// button.
function heard(position, { feedback, stopped }) {
  state.feedback.push(...feedback);
  state.stopped ||= stopped;
  const question = questionAt(position);
  if (question.final) Object.assign(question, { held: null, draft: null });
  if (question.final && question === current() && state.phase === "answer" && !state.busy) turnTo(state.index);
  if (state.phase !== "answer" || state.busy || state.touched || !isNews()) return;
  const here = state.index;
  showNews().then(() => turnTo(here));
}

function isNews() {
  return state.feedback.length > 0 || state.stopped;
}

async function showNews() {
  await compare();
  if (!state.stopped) return;
  try {
    state.busy = true;
    render();
    await outbox.settle(); // these answers were given before the page knew
  } finally {
    leave();
  }
  await new Promise(() => {}); // the browser is leaving the page, so nothing after this line runs
}

async function compare() {
  while (state.feedback.length) {
    const feedback = state.feedback.shift();
    const question = questionAt(feedback.position);
    if (question.read) continue;
    Object.assign(question, { final: true, feedback: null, value: feedback.given, held: null, draft: null });
    Object.assign(state, { phase: "compare", index: state.assignment.questions.indexOf(question) });
    const { kind, study } = state.assignment;
    const { content } = question;
    const { disputed, note } = await hit.compare({
      content,
      feedback,
      kind,
      number: state.index + 1,
      passMark: study.pass_mark,
      shown: render,
    });
    question.read = true;
    outbox.acknowledge(feedback.position, disputed, note);
  }
}

// Run `work` while no other work is in progress, explain a rejection, and report a failed request.
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

function refused(error, position = error.position) {
  if (error.code === "consent" || error.code === "stopped") leave();
  else if (error.code === "submitted") notice(strings.submittedElsewhere, strings.goOn, goOn);
  else if (["incomplete", "invalid", "graded"].includes(error.code) && position) askAgain(position, error.message);
  else if (error.code === "returned") notice(error.message, strings.goOn, goOn);
  else if (error.code === "unknown") notice(error.message, strings.overview, () => leave());
  else notice(error.message || strings.failed, strings.reload, () => location.reload());
}

function askAgain(position, message) {
  const question = questionAt(position);
  if (!question.final) question.held = null;
  if (state.phase === "answer") turnTo(state.assignment.questions.indexOf(question), message);
}

function notice(message, action, act) {
  show({ message, comfort: strings.nothingLost, action, act });
}

function show(contents) {
  state.phase = "notice";
  clock.pause();
  const button = showNotice(contents);
  render();
  button.focus();
}

function saved(how) {
  state.saved = how;
  if (how === "saved") keepUntil(state.assignment.longest_lease); // the first draft or answer extends the lease
  render();
}

function tell(sentence) {
  state.hint = sentence;
  render();
}

function render() {
  renderPage(state, { hit, strings, singleKeys: panels.singleKeys() });
}
