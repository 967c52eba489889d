// The life of a HIT on screen, the same on the site (work.js) and in a batch (../mturk/hit.js): show one question of a
// task type's module, take presses and keys, show the progress, and compare an answer with what was expected.

import { h, one, say } from "./dom.js";
import { showFeedback } from "./feedback.js";
import { listen } from "./keys.js";

const SETTLE = 250; // ms during which a second press of Enter does not skip a question without an answer

export const at = (id) => document.getElementById(id);

// mount: the task type's module; shared: its strings, the language and the direction of the texts; strings: the page's;
// clock(): times the questions; answering(): answers can change now; next(), back(): the two buttons;
// open(panel), closed(), single(): as in keys.js.
export function createHit({ mount, shared, strings, clock, answering, next, back, closed, single, open }) {
  let task = null;
  let enteredAt = -SETTLE;
  let untouched = null; // the value with which a question was shown, until it changes

  at("next").addEventListener("click", (event) => event.detail < 2 && next()); // a double click counts once
  at("previous").addEventListener("click", (event) => event.detail < 2 && back());
  listen({
    closed,
    single,
    open,
    enter() {
      if (at("answering").hidden) mainButton()?.click();
      else if (performance.now() - enteredAt > SETTLE || !task.complete(untouched)) {
        enteredAt = performance.now();
        next();
      }
    },
    back,
    task(event) {
      if (!answering() || !task.key(event)) return false;
      // A tool that was pressed still has the focus, and Enter would reopen it.
      if (document.activeElement?.closest(".an-tools")) at("question").focus({ preventScroll: true });
      return true;
    },
  });

  return {
    complete: (value) => Boolean(task?.complete(value)),
    // The reason why the answer is incomplete. A task that can name the missing part also shows its position.
    refuse: (value) => task?.refuse?.(value) || strings.incomplete,
    button: () => task?.button?.() ?? "",
    // A gold answer passes by the rule of the task type, or if the values are equal.
    agrees: (value, expected, same) => (task.agrees ? task.agrees(value, expected) : same(value, expected)),

    turnTo(position, { content, value, disabled, onChange, onState }) {
      clock().turnTo(position);
      untouched = value;
      task?.destroy();
      at("spoken").textContent = ""; // a change to the previous question, which a screen reader would find here
      task = mount(at("task"), {
        ...shared(),
        content,
        value,
        disabled,
        onChange(changed, words) {
          untouched = null;
          at("spoken").textContent = words ?? "";
          onChange(changed);
        },
        onState,
      });
      at("question").replaceChildren(...task.heading());
    },

    // Resolves to {disputed, note} when the annotator has looked at the feedback. `shown` has rendered that phase.
    async compare({ content, feedback, kind, number, passMark, shown }) {
      clock().pause();
      task?.destroy();
      at("spoken").textContent = "";
      task = mount(at("task"), { ...shared(), content, value: null, disabled: true, onChange: () => {} });
      at("task").replaceChildren();
      shown();
      const result = await showFeedback(at("feedback"), { feedback, kind, number, passMark, task, strings });
      clock().resume();
      return result;
    },
  };
}

// done: whether each question has an answer; plain: the first words stay on a phone. Returns the progress in words.
export function renderProgress({ text, index, done, plain }) {
  const total = done.length;
  const words = say(text, { n: index + 1, total });
  const [before, after] = text.split("{n}");
  const bar = at("progress");
  for (const [name, value] of [
    ["now", index + 1],
    ["max", total],
  ])
    bar.setAttribute(`aria-value${name}`, String(value));
  bar.setAttribute("aria-valuetext", words);
  bar.querySelector("[data-words]").replaceChildren(
    h("span", { class: plain ? null : "t" }, before), // .t is left out on a phone
    h("b", {}, `${index + 1}`),
    say(after, { total }),
  );
  bar
    .querySelector(".steps")
    .replaceChildren(
      ...done.map((answered, place) => h("span", { class: place === index ? "now" : answered ? "done" : null })),
    );
  return words;
}

// button: what the task says about the button of the page, which is hidden if the question has its own button.
export function renderParts({ compared, final, first, ready, label, button }) {
  at("answering").hidden = compared;
  at("feedback").hidden = !compared;
  at("final").hidden = compared || !final;
  at("previous").hidden = first;
  at("next").hidden = button === "own";
  at("next").setAttribute("aria-disabled", String(!ready && button !== "asks"));
  at("next-words").textContent = label;
}

function mainButton() {
  return one(".acts:not([hidden]) .b-main", at("feedback"));
}
