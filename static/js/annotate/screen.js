// Shows the state of the work page: the progress, the visible part, the active buttons and the messages.

import { h, icon, money, say } from "./dom.js";
import { at, renderParts, renderProgress } from "./life.js";

const ENDS = { saving: "wait", saved: "check", kept: "device" };

// The answer, which is stored on the server or on this device.
export function given(question) {
  return question.held ?? question.value ?? null;
}

// Whether the question has been answered or skipped.
export function settled(question) {
  return given(question) !== null || Boolean(question.skipped);
}

// The visible choice of the annotator.
export function onScreen(question) {
  return question.final ? question.value : (question.draft ?? given(question));
}

// Whether the question was skipped and no answer has been begun since.
export function staysSkipped(question) {
  return Boolean(question.skipped) && onScreen(question) === null;
}

export function renderPage(state, { hit, strings, singleKeys }) {
  const { assignment, index, phase, busy } = state;
  const question = assignment.questions[index];
  const practice = assignment.kind === "practice";
  const words = renderProgress({
    text: strings[practice ? "practiceProgress" : "progress"],
    index,
    done: assignment.questions.map(settled),
    plain: practice,
  });
  at("progress").hidden = state.between; // the submitted set is past, and the next has not begun
  document.title = `${words} · Accord`;
  renderParts({
    compared: phase !== "answer",
    final: question.final,
    first: index === 0,
    ready: !busy && phase === "answer" && (staysSkipped(question) || hit.complete(onScreen(question))),
    label: index === assignment.questions.length - 1 ? strings.handIn : strings.next,
    button: hit.button(),
  });
  at("task").inert = busy; // the answers are being submitted, so a change would be lost
  at("loading").hidden = true;
  at("try").hidden = assignment.kind !== "try";
  at("skipped").hidden = phase !== "answer" || !staysSkipped(question);
  renderFigures(state, strings);
  document.body.classList.toggle("no-keys", !singleKeys);
  renderNews(state);
  renderStatus(state, strings);
}

// Earnings in studies with pay, and results on check questions after the first set with one.
function renderFigures({ earned, gold, assignment }, strings) {
  at("earned").hidden = Number(assignment.reward) === 0;
  at("earned").textContent = say(strings.earned, { amount: money(earned, assignment.currency) });
  at("gold").hidden = gold.graded === 0;
  at("gold").textContent = say(strings.gold, gold);
}

// After the message was read, its space stays empty, so that the choices do not move under the pointer.
function renderNews({ news, newsRead }) {
  const place = at("news");
  place.classList.toggle("read", newsRead);
  if (place.textContent === news) return; // said once
  place.replaceChildren(...(news ? [h("p", { class: "notice good an-bar" }, icon("check"), h("span", {}, news))] : []));
}

// Screen readers announce what is missing, and that answers stay on this device. They do not announce after each answer
// that the server has saved it, so this text is outside the status.
function renderStatus({ hint, saved, busy }, strings) {
  const kept = busy ? strings.keptSubmission : strings.kept; // the page is busy only while it submits
  const said = hint || (saved === "kept" ? kept : "");
  show(at("saved"), said, hint ? "info" : ENDS.kept);
  show(at("stored"), said ? "" : strings[saved] || "", ENDS[saved]);
}

function show(place, words, look) {
  if (place.textContent === words) return; // said once
  place.replaceChildren(...(words ? [icon(look), h("span", {}, words)] : []));
}
