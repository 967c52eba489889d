// Shows the state of the work page: progress, which part is seen, what can be pressed, what is said.

import { h, icon, say } from "./dom.js";

const ENDS = { saving: "wait", saved: "check", kept: "device" };

// What has been given, on the server or kept on this device.
export function given(question) {
  return question.held ?? question.value ?? null;
}

// What the annotator sees chosen.
export function onScreen(question) {
  return question.final ? question.value : (question.draft ?? given(question));
}

export function renderPage(state, { task, strings, singleKeys }) {
  const { assignment, index, phase, busy } = state;
  const question = assignment.questions[index];
  const last = index === assignment.questions.length - 1;
  const answering = phase === "answer";
  renderProgress(state, strings);
  find("answering").hidden = !answering;
  find("feedback").hidden = answering;
  find("final").hidden = !answering || !question.final;
  find("try").hidden = assignment.kind !== "try";
  find("back").hidden = index === 0;
  find("next").setAttribute("aria-disabled", String(busy || !(answering && task?.complete(onScreen(question)))));
  find("next-words").textContent = last ? strings.handIn : strings.next;
  document.body.classList.toggle("no-keys", !singleKeys);
  renderNews(state);
  renderStatus(state, strings);
}

function renderProgress({ assignment, index }, strings) {
  const total = assignment.questions.length;
  const text = strings[assignment.kind === "practice" ? "practiceProgress" : "progress"];
  const words = say(text, { n: index + 1, total });
  const [before, after] = text.split("{n}");
  const bar = find("progress");
  document.title = `${words} · Accord`;
  for (const [name, value] of [["now", index + 1], ["max", total]]) bar.setAttribute(`aria-value${name}`, value);
  bar.setAttribute("aria-valuetext", words);
  bar.querySelector("[data-words]").replaceChildren(
    h("span", { class: assignment.kind === "practice" ? null : "t" }, before), // .t is left out on a phone
    h("b", {}, `${index + 1}`),
    say(after, { total }),
  );
  bar.querySelector(".steps").replaceChildren(
    ...assignment.questions.map((question, place) =>
      h("span", { class: place === index ? "now" : given(question) !== null ? "done" : null }),
    ),
  );
}

// Once read it leaves its place empty: what is to be chosen must not move under the pointer.
function renderNews({ news, newsRead }) {
  const place = find("news");
  place.classList.toggle("read", newsRead);
  if (place.textContent === news) return; // said once
  place.replaceChildren(...(news ? [h("p", { class: "notice good an-bar" }, icon("check"), h("span", {}, news))] : []));
}

function renderStatus({ hint, saved }, strings) {
  const words = hint || strings[saved] || "";
  const status = find("saved");
  if (status.textContent === words) return; // said once
  status.replaceChildren(...(words ? [icon(hint ? "info" : ENDS[saved]), h("span", {}, words)] : []));
}

function find(id) {
  return document.getElementById(id);
}
