// One HIT on Mechanical Turk, whole: questions one at a time, what was expected at once where gold was missed, and one
// form at the end. All that can change is in `state`; `render` shows it.

import { createClock } from "../annotate/clock.js";
import { h, same, say } from "../annotate/dom.js";
import { showFeedback } from "../annotate/feedback.js";
import { listen } from "../annotate/keys.js";
import { createKept } from "./kept.js";
import { readPlatform } from "./platform.js";
import { open } from "./sealed.js";

const at = (id) => document.getElementById(id);

export function begin(mount) {
  const page = readJson("page");
  const { strings } = page;
  const platform = readPlatform(location.search, page.origins);
  const kept = createKept(page.study, platform.assignment);
  const clock = createClock(platform.assignment ?? "none");
  const questions = readJson("row").map(({ content, sealed }) => ({
    content: { ...page.content, ...content },
    ...open(sealed),
  }));
  const state = {
    index: 0,
    phase: "answer", // answer | compare | sent
    hint: "",
    answers: kept.read() ?? questions.map(() => ({ value: null, seconds: 0, done: false, final: false, feedback: null })),
  };
  let task = null;

  at("next").addEventListener("click", (event) => event.detail < 2 && next()); // a double click counts once
  at("previous").addEventListener("click", (event) => event.detail < 2 && previous());
  listen({
    closed: () => false,
    single: () => true,
    open: (panel) => panel === "instructions" && toggleInstructions(),
    enter: () => (state.phase === "compare" ? mainButton()?.click() : next()),
    task: (event) => state.phase === "answer" && !locked() && task.key(event),
  });
  at("preview").hidden = !platform.preview;
  at("elsewhere").hidden = platform.preview || Boolean(platform.assignment && platform.action);
  const unseen = state.answers.findIndex((answer) => answer.feedback === "shown");
  const first = state.answers.findIndex((answer) => !answer.done);
  if (unseen >= 0) turnTo(unseen).then(() => compare(unseen));
  else turnTo(first < 0 ? questions.length - 1 : first);

  // ── from question to question ────────────────────────────────────────────────────────────────────────────────
  async function turnTo(index) {
    Object.assign(state, { index, phase: "answer" });
    clock.turnTo(index + 1);
    task?.destroy();
    task = mount(at("task"), {
      content: questions[index].content,
      value: state.answers[index].value,
      disabled: locked(),
      onChange: changed,
      strings: page.taskStrings,
      language: page.language,
      direction: page.direction,
    });
    at("question").replaceChildren(...task.heading());
    render();
  }

  function changed(value, words) {
    state.answers[state.index].value = value;
    state.hint = "";
    at("spoken").textContent = words ?? "";
    kept.write(state.answers);
    render();
  }

  function previous() {
    if (state.phase !== "answer" || state.index === 0) return;
    state.hint = "";
    turnTo(state.index - 1).then(() => at("question").focus());
  }

  async function next() {
    if (state.phase !== "answer" || platform.preview) return;
    const { index } = state;
    const answer = state.answers[index];
    if (!task.complete(answer.value)) return tell(strings.incomplete);
    state.hint = "";
    if (!answer.final) Object.assign(answer, { seconds: clock.seconds(index + 1), done: true });
    const { gold } = questions[index];
    if (gold && !answer.final) {
      answer.final = true; // a compared answer stands
      const right = task.agrees ? task.agrees(answer.value, gold) : same(answer.value, gold);
      if (!right) answer.feedback = "shown";
    }
    kept.write(state.answers);
    if (answer.feedback === "shown") await compare(index);
    if (index === questions.length - 1) return handIn();
    await turnTo(index + 1);
    window.scrollTo(0, 0);
    at("question").focus();
  }

  async function compare(index) {
    state.phase = "compare";
    clock.pause();
    render();
    const { gold: expected, why } = questions[index];
    const given = state.answers[index].value;
    const feedback = { passed: false, expected, given, explanation: why, message: "", graded: 1, right: 0 };
    at("task").replaceChildren();
    const { disputed, note } = await showFeedback(at("feedback"), { feedback, kind: "regular", task, strings });
    Object.assign(state.answers[index], { feedback: disputed ? "disputed" : "seen", note });
    kept.write(state.answers);
    clock.resume();
    await turnTo(index);
  }

  // ── handing in ───────────────────────────────────────────────────────────────────────────────────────────────
  function handIn() {
    if (!platform.assignment || !platform.action) return tell(strings.cannotHandIn);
    const missing = state.answers.findIndex((answer) => !answer.done);
    if (missing >= 0) return turnTo(missing);
    state.phase = "sent";
    render();
    at("assignmentId").value = platform.assignment;
    at("answers").value = JSON.stringify(state.answers.map(toSend));
    const form = at("assignmentId").form;
    form.action = platform.action;
    form.submit();
  }

  function toSend({ value, seconds, feedback, note }, index) {
    const { question, items, shown } = questions[index];
    return { position: index + 1, question, items, shown, value, seconds, feedback, note: note ?? "" };
  }

  // ── what is seen ─────────────────────────────────────────────────────────────────────────────────────────────
  function locked() {
    return platform.preview || state.answers[state.index].final;
  }

  function toggleInstructions() {
    const part = at("instructions");
    part.open = !part.open;
    part.querySelector("summary").focus();
  }

  function mainButton() {
    return at("feedback").querySelector(".acts:not([hidden]) .b-main");
  }

  function tell(sentence) {
    state.hint = sentence;
    render();
  }

  function render() {
    const { index, phase, answers, hint } = state;
    const last = index === questions.length - 1;
    const ready = phase === "answer" && !platform.preview && task?.complete(answers[index].value);
    at("answering").hidden = phase === "compare";
    at("feedback").hidden = phase !== "compare";
    at("final").hidden = !answers[index].final;
    at("previous").hidden = index === 0;
    at("next").setAttribute("aria-disabled", String(!ready));
    at("next-words").textContent = last ? strings.handIn : strings.next;
    if (at("said").textContent !== hint) at("said").textContent = hint;
    renderProgress();
  }

  function renderProgress() {
    const words = say(strings.progress, { n: state.index + 1, total: questions.length });
    const bar = at("progress");
    bar.setAttribute("aria-valuenow", state.index + 1);
    bar.setAttribute("aria-valuemax", questions.length);
    bar.setAttribute("aria-valuetext", words);
    bar.querySelector("[data-words]").textContent = words;
    const steps = state.answers.map(({ done }, index) =>
      h("span", { class: index === state.index ? "now" : done ? "done" : null }),
    );
    bar.querySelector(".steps").replaceChildren(...steps);
  }
}

function readJson(id) {
  return JSON.parse(at(id).textContent);
}
