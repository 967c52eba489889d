// Feedback on a graded answer: the expected answer, the annotator's answer and the explanation, followed by a button to
// continue, or “I disagree” with a note.

import { digits, h, icon, say } from "./dom.js";

const SETTLE = 500; // ms during which the second press of a double press does not count as an answer

// Shows the feedback on question `number` in `root` and resolves to {disputed, note} when the annotator has looked at it.
// `passMark` is the share of known answers with which the annotator can continue, or 0 without a rule.
export function showFeedback(root, { feedback, kind, number, passMark = 0, task, strings }) {
  return new Promise((resolve) => {
    const shownAt = performance.now();
    const place = h("div", { class: "compared" });
    const difference = task.feedback(place, feedback);
    const note = h("textarea", { class: "input", id: "dispute", rows: 3, maxlength: 1000 });
    const form = h(
      "form",
      { class: "dispute", hidden: true, onsubmit: dispute },
      h("label", { for: "dispute" }, strings.disputeWhy),
      note,
      h(
        "div",
        { class: "acts" },
        h("button", { class: "b b-main b-big", type: "submit" }, strings.disputeSend),
        h("button", { class: "b b-plain b-big", type: "button", onclick: () => turn(false) }, strings.cancel),
      ),
    );
    const go = h(
      "button",
      { class: "b b-main b-big", type: "button", onclick: () => end({ disputed: false, note: "" }) },
      feedback.passed ? strings.goOn : strings.iSee,
      " ",
      h("kbd", { "aria-hidden": "true" }, "Enter"),
    );
    const differently = h("button", { class: "link", type: "button", onclick: () => turn(true) }, strings.differently);
    const acts = h("div", { class: "acts" }, go, feedback.passed ? null : differently);
    const panel = h(
      "section",
      { class: "note", role: "alert", "aria-labelledby": "note-heading" },
      h("span", { class: "disc", "aria-hidden": "true" }, icon(feedback.passed ? "good" : "talk")),
      h(
        "div",
        {},
        h("h1", { id: "note-heading" }, say(strings[heading(difference, feedback)], { n: number })),
        why(difference, feedback),
        h("p", {}, background(feedback, kind, passMark, strings)),
        acts,
        form,
      ),
    );
    root.replaceChildren(panel, place);
    window.scrollTo({ top: 0, behavior: "instant" });
    go.focus({ preventScroll: true }); // long feedback is read from its beginning

    function turn(disputing) {
      acts.hidden = disputing;
      form.hidden = !disputing;
      (disputing ? note : go).focus();
    }

    function dispute(event) {
      event.preventDefault();
      end({ disputed: true, note: note.value.trim() });
    }

    function end(result) {
      if (performance.now() - shownAt < SETTLE) return;
      root.replaceChildren();
      resolve(result);
    }
  });
}

// The page's own sentences, then the researchers' explanation in its own direction.
function why(difference, { message, explanation }) {
  const own = [difference, message].flat().filter(Boolean);
  const told = own.map((text) => h("p", { class: "why" }, text));
  return explanation ? [...told, h("p", { class: "why", dir: "auto" }, explanation)] : told;
}

// An answer passes if it is close enough, so the heading must not call the answers the same above a list of
// differences.
function heading(difference, { passed }) {
  if (!passed) return "differHeading";
  return difference ? "closeHeading" : "agreedHeading";
}

function background({ graded, right }, kind, passMark, strings) {
  if (kind === "practice") return strings.practice;
  const percent = new Intl.NumberFormat(digits(), { style: "percent" }).format(passMark);
  return [
    say(graded > 0 ? strings.inStep : strings.inStepFirst, { right, graded }),
    passMark > 0 ? say(strings.passMark, { percent }) : "",
  ].join(" ");
}
