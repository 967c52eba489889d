// The message that takes the place of the question, and the text after a submission.

import { h, icon, money, say } from "./dom.js";
import { at } from "./life.js";

// Show a message with one button, or with two. Returns the first button.
export function showNotice({ message, comfort, action, act, other, otherAct, sign = "info" }) {
  const button = h("button", { class: "b b-main b-big", type: "button", onclick: act }, action);
  const second = other ? [h("button", { class: "b b-plain b-big", type: "button", onclick: otherAct }, other)] : [];
  at("feedback").replaceChildren(
    h(
      "section",
      { class: "note", role: "alert" },
      h("span", { class: "disc", "aria-hidden": "true" }, icon(sign)),
      h("div", {}, h("h1", {}, message), h("p", {}, comfort), h("div", { class: "acts" }, button, ...second)),
    ),
  );
  return button;
}

// The text about a submitted assignment of this kind, with the amount that it pays.
export function receiptText({ state, credited, reward, currency }, kind, strings) {
  if (kind === "practice") return strings.practiceOver;
  if (!credited || Number(reward) === 0) return strings.handedIn;
  const words = state === "surplus" ? strings.handedInSurplus : strings.handedInPaid;
  return say(words, { amount: money(reward, currency) });
}
