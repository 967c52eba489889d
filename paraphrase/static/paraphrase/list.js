// The candidates, each with the answers “yes” and “no”. One candidate is a tab stop, and arrow keys lead to the others.

import { h, icon, say, targetOf } from "../js/annotate/dom.js";
import { capOf, keysOf } from "../js/annotate/keymap.js";
import { KEYS } from "./keys.js";

const VOICES = [
  { yes: true, name: "yes", look: "check" },
  { yes: false, name: "no", look: "close" },
];

// on: vote(index, yes, via), none(), hover(index or null), walk(event) → taken, look(index)
export function createList(candidates, { strings, text, disabled, given, on }) {
  let pressed = false; // the next change comes from a press, not from a key
  const rows = candidates.map(row);
  const list = h(
    "div",
    { class: "list" },
    rows.map((one) => one.element),
  );
  const cap = h("kbd", { "aria-hidden": "true" });
  const all = h(
    "button",
    { class: "b b-plain none", type: "button", disabled, onclick: on.none },
    icon("close"),
    h("span", {}, strings.none),
    cap,
  );
  const element = h("div", { class: "panel cands" }, list, all);
  list.addEventListener("pointerdown", () => (pressed = true));
  list.addEventListener("keydown", (event) => {
    pressed = false;
    if (on.walk(event)) event.preventDefault();
  });
  list.addEventListener("focusin", ({ target }) => look(target));
  // A tap on the words shows them in the sentence.
  list.addEventListener("click", (event) => !targetOf(event).closest(".yn") && look(event.target));
  // The event is not pointerenter, which also occurs when the list scrolls under a pointer that does not move.
  list.addEventListener("pointermove", (event) => event.pointerType !== "touch" && on.hover(indexOf(event.target)));
  list.addEventListener("pointerleave", () => on.hover(null));

  function look(target) {
    const index = indexOf(target);
    if (index !== null) on.look(index);
  }

  function row(words, index) {
    const inputs = VOICES.map((voice) => radio(voice, index));
    const element = h(
      "fieldset",
      { class: "cand", "data-index": index, "aria-describedby": `in-place-${index + 1}` },
      h("legend", { class: "sr", ...text }, words),
      h("span", { class: "n", "aria-hidden": "true" }, `${index + 1}`),
      h("div", { class: "words" }, h("span", { class: "sent", "aria-hidden": "true", ...text }, words), others(index)),
      h(
        "div",
        { class: "yn" },
        inputs.map((input, place) => [input, answer(VOICES[place], input.id)]),
      ),
    );
    return { element, inputs };
  }

  function radio({ yes, name }, index) {
    const [id, group] = [`${name}-${index + 1}`, `vote-${index + 1}`];
    const input = h("input", { type: "radio", id, name: group, class: name, disabled });
    input.addEventListener("change", () => on.vote(index, yes, pressed ? "press" : "choice"));
    return input;
  }

  function answer({ name, look }, id) {
    return h("label", { class: "b", for: id }, icon(look), strings[name]);
  }

  // On the page on which a researcher decides, the annotators' answers are shown.
  function others(index) {
    if (!given.length) return null;
    const yes = given.filter(({ value }) => value.votes[index]).length;
    return h("small", {}, say(strings.others, { yes, no: given.length - yes }));
  }

  function indexOf(target) {
    const row = target.closest?.(".cand");
    return row ? Number(row.dataset.index) : null;
  }

  return {
    element,

    renderKeys() {
      cap.textContent = capOf(keysOf(KEYS).none);
    },

    // The list scrolls under the part that covers the top of a narrow screen.
    focus(index, cover) {
      const { element: row } = rows[index];
      list.style.setProperty("--cover", `${cover}px`);
      stop(index).focus({ preventScroll: true });
      row.scrollIntoView({ block: "nearest", behavior: "instant" });
    },

    render({ votes, at }, shown) {
      rows.forEach(({ element, inputs }, index) => {
        const vote = votes[index];
        VOICES.forEach(({ yes }, place) => (inputs[place].checked = vote === yes));
        for (const input of inputs) input.tabIndex = index === at ? 0 : -1;
        if (disabled) element.tabIndex = index === at ? 0 : -1;
        element.classList.toggle("here", index === shown);
        element.classList.toggle("is-no", vote === false);
      });
      all.setAttribute("aria-pressed", String(votes.every((vote) => vote === false)));
    },
  };

  // The element of a row that gets the focus: its answer, “yes” if there is no answer, or the row itself if nothing can
  // be changed.
  function stop(index) {
    const { element, inputs } = rows[index];
    return disabled ? element : (inputs.find((input) => input.checked) ?? inputs[0]);
  }
}
