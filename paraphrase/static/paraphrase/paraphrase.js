// Paraphrase in context: a sentence, a phrase in it, and candidates that can replace the phrase, each with the answer
// “yes” or “no”. README.md describes the contract. A value is {votes}: true, false, or null without an answer, in
// screen order.

import { digit } from "../js/annotate/digit.js";
import { counted, say } from "../js/annotate/dom.js";
import { actionOf } from "../js/annotate/keymap.js";
import { showFeedback } from "./feedback.js";
import { KEYS } from "./keys.js";
import { createList } from "./list.js";
import { createSentences } from "./sentences.js";

const TYPING = 900; // ms within which a second digit belongs to the first: 1 and 2 select candidate 12
const PASSED = 2 / 3;
const STEPS = { ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity };

export { compare, picture } from "./feedback.js";
export { parts, withPart } from "./parts.js";

export function mount(root, { content, value, disabled, given = [], onChange, strings, language, direction }) {
  const { candidates } = content;
  const text = { lang: language, dir: direction || "auto" };
  // at: the current candidate; hovered: the candidate under the pointer, which is shown in the sentence; before: the
  // votes that "none is right" has replaced
  const state = { votes: votesOf(value), at: 0, hovered: null, before: null, typed: { number: 0, time: -TYPING } };
  const sentences = createSentences(content, { strings, text, jump: () => goTo(nextOpen(state.at)) });
  const list = createList(candidates, {
    strings,
    text,
    disabled,
    given,
    on: { vote, none, hover, walk, look: (at) => show({ at, hovered: null }) },
  });
  const long = candidates.length > 12; // two columns on wide screens
  root.replaceChildren(sentences.inFrame(list.element, long));
  document.addEventListener("keyschosen", renderKeys);
  state.at = Math.max(0, state.votes.indexOf(null));
  renderKeys();
  render();

  // ── votes ──────────────────────────────────────────────────────────────────────────────────────────────────── A
  // reviewer who decides starts with the votes on which all annotators agree, and only has to answer the other
  // candidates.
  function votesOf(value) {
    return candidates.map((_, index) => (value ? (value.votes[index] ?? null) : unanimous(index)));
  }

  function unanimous(index) {
    const votes = new Set(given.map(({ value }) => value.votes[index]));
    return votes.size === 1 ? [...votes][0] : null;
  }

  // After a key, the next candidate without an answer becomes current, wherever it is. After a press, only candidates
  // below can become current, and the page does not scroll.
  function vote(index, yes, via) {
    if (disabled) return;
    state.votes[index] = yes;
    state.before = null;
    state.typed.number = 0;
    const next = nextOpen(index);
    if (via === "press" && next > index) state.at = next;
    report(`${candidates[index]}: ${yes ? strings.yes : strings.no}.`);
    if (via === "key") goTo(next);
  }

  // Answer “no” for all candidates. If this is repeated, the previous answers are restored.
  function none() {
    if (disabled) return;
    const said = state.votes.every((vote) => vote === false);
    if (said && state.before) Object.assign(state, { votes: state.before, before: null });
    else if (!said) Object.assign(state, { votes: candidates.map(() => false), before: state.votes });
    report(state.votes.includes(null) || state.votes.includes(true) ? strings.noneBack : strings.noneSaid);
  }

  function report(words) {
    render();
    onChange({ votes: [...state.votes] }, `${words} ${tally()}`);
  }

  function tally() {
    return say(strings.answered, { n: answered(), total: candidates.length });
  }

  function answered() {
    return state.votes.filter((vote) => vote !== null).length;
  }

  // The next candidate without an answer, continuing from the top after the last, or the same candidate if all have
  // answers.
  function nextOpen(from) {
    const others = candidates.map((_, step) => (from + 1 + step) % candidates.length);
    return others.find((place) => state.votes[place] === null) ?? from;
  }

  // ── from candidate to candidate ──────────────────────────────────────────────────────────────────────────────
  function goTo(at) {
    show({ at, hovered: null });
    list.focus(at, sentences.cover());
  }

  function hover(hovered) {
    if (hovered !== state.hovered) show({ hovered });
  }

  function show(change) {
    Object.assign(state, change);
    render();
  }

  // Arrow keys also work while single keys are switched off, because they are the usual way to move in a list.
  function walk(event) {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return false;
    goTo(Math.min(Math.max(state.at + step, 0), candidates.length - 1));
    return true;
  }

  // The usual key for “none is right” is 0, which makes a ten after a 1.
  function typing() {
    return state.typed.number > 0 && performance.now() - state.typed.time < TYPING;
  }

  function number(digit) {
    const both = typing() ? state.typed.number * 10 + digit : digit;
    const wanted = both <= candidates.length ? both : digit;
    if (wanted === 0 || wanted > candidates.length) return false;
    state.typed = { number: wanted, time: performance.now() };
    goTo(wanted - 1);
    return true;
  }

  function render() {
    const shown = state.hovered ?? state.at;
    list.render(state, shown);
    sentences.render(shown, { answered: answered(), words: tally() });
  }

  function renderKeys() {
    sentences.renderKeys();
    list.renderKeys();
  }

  return {
    heading: () => [strings.ask],

    setValue(next) {
      show({ votes: votesOf(next), before: null });
    },

    key(event) {
      if (["ArrowUp", "ArrowDown"].includes(event.key)) return walk(event);
      const pressed = event.shiftKey ? null : digit(event);
      const action = actionOf(event, KEYS);
      if (action === "none" && !(pressed !== null && typing())) none();
      else if (action === "yes" || action === "no") vote(state.at, action === "yes", "key");
      else return pressed !== null && number(pressed);
      return true;
    },

    complete: (candidate) => candidate?.votes.length === candidates.length && !candidate.votes.includes(null),

    // The open candidates are shown from the first one on.
    refuse(candidate) {
      const open = votesOf(candidate).filter((vote) => vote === null).length;
      if (!open) return "";
      goTo(nextOpen(-1));
      return counted(strings.openCandidates, open);
    },

    // As in quality control, one wrong answer in six is not a reason to interrupt the annotator.
    agrees: (candidate, expected) => balanced(candidate.votes, expected.votes) >= PASSED,

    feedback: (place, { expected, given }) => showFeedback(place, { content, strings, text, expected, given }),

    destroy() {
      document.removeEventListener("keyschosen", renderKeys);
      root.replaceChildren();
    },
  };
}

// The mean of two shares: the correct answers to expected “yes” candidates and to expected “no” candidates, or only one
// share if there are no candidates of the other kind.
function balanced(votes, expected) {
  const shares = [true, false]
    .map((side) => votes.filter((_, place) => expected[place] === side).map((vote) => vote === side))
    .filter((right) => right.length)
    .map((right) => right.filter(Boolean).length / right.length);
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
