// A letter on each word: people type the letter of a word and that of its match. Space adds one more word to the last
// one, a letter with Shift all words up to it, a full stop links the next word of each sentence, and Backspace removes the
// links of the words that wait for their match.

import { digit } from "../js/annotate/digit.js";
import { compose, h } from "../js/annotate/dom.js";
import { actionOf, keysOf } from "../js/annotate/keymap.js";
import { letter } from "../js/annotate/keys.js";
import { choose } from "../pairs/selection.js";
import { block, ends } from "../pairs/state.js";
import { KEYS } from "./keys.js";

const SIDES = [0, 1];
const SIGNS = [..."abcdefghijklmnopqrstuvwxyz1234567890"];

/**
 * One sign for each word or, in long sentences, two for the last words.
 * @param {number} count
 * @param {string[]} signs
 */
export function labels(count, signs = SIGNS) {
  const long = Math.max(0, Math.ceil((count - signs.length) / (signs.length - 1)));
  const short = signs.slice(0, signs.length - long);
  const first = signs.slice(signs.length - long);
  return [...short, ...first.flatMap((one) => signs.map((two) => one + two))].slice(0, count);
}

// visits: the visits of words, which go on after a link; act: join(pairs), put(pairs, kind), turn(), undo(), show(),
// tell(sentence)
export function createLetters(state, { texts, strings, board, visits, act }) {
  let on = false;
  let names = SIDES.map(() => /** @type {string[]} */ ([]));
  let typed = ""; // the first of two signs
  let last = null; // {runs, side, kind}: the words that were linked last, and the side on which they can become more
  let visited = null; // the word that was being visited
  board.element.tabIndex = -1; // has the focus while letters are shown, so that no word is highlighted
  board.element.addEventListener("keydown", press, true); // before the keys of the board and of the page
  board.element.addEventListener("focusout", ({ relatedTarget }) => !board.element.contains(relatedTarget) && end());

  function start() {
    const node = state.anchor;
    visited = node && visits.isAt(node) ? node : null;
    visits.end();
    const keys = keysOf(KEYS);
    const signs = SIGNS.filter((sign) => ![keys.letters, keys.along].includes(sign));
    names = texts.map((words) => labels(words.length, signs));
    typed = "";
    last = null;
    on = true;
    board.number(SIDES.flatMap((side) => names[side].map((name, index) => [{ side, index }, name])));
    board.element.focus({ preventScroll: true });
    if (board.element.getBoundingClientRect().bottom > innerHeight)
      board.element.scrollIntoView({ block: "start", behavior: "instant" }); // as many words as possible
    act.show();
    act.tell(strings.letters);
  }

  function end() {
    if (!on) return;
    on = false;
    delete board.element.dataset.typed;
    board.number([]);
    choose(state);
    act.show();
  }

  function press(event) {
    if (!on || event.ctrlKey || event.metaKey || event.altKey || !take(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Returns whether the key belongs to the letters. No other sign reaches the task, so that no slip changes a link.
  function take(event) {
    const { key, shiftKey } = event;
    const waiting = waitingSide();
    if (key === "Enter" && waiting !== null) return true;
    if (key === "Enter" || key === "Escape") end();
    if (key === "Enter") return false;
    if (key === "Escape") return true;
    const action = actionOf(event, KEYS);
    if (action === "letters") act.turn();
    else if (action === "along") goAlong(waiting);
    else if (key === " ") widen(null);
    else if (key === "Backspace") goBack(waiting);
    else if (key.length > 1 || key === "?") return false;
    else type(String(digit(event) ?? letter(event)), shiftKey);
    return true;
  }

  function type(sign, through) {
    const waiting = waitingSide();
    const side = through ? (waiting ?? 1) : waiting === null ? 0 : 1 - waiting;
    typed = names[side].some((name) => name.startsWith(typed + sign)) ? typed + sign : "";
    const index = names[side].indexOf(typed);
    if (index < 0) return;
    typed = "";
    if (through) widen(index);
    else if (waiting === null) pick(0, [index]);
    else link(side, index);
  }

  // The side with words that wait for their match.
  function waitingSide() {
    const side = SIDES.find((each) => state.selection[each].size);
    return side ?? null;
  }

  function pick(side, indexes) {
    choose(state, ...SIDES.map((each) => (each === side ? indexes : [])));
    act.show();
    act.tell(wordsOf(side));
  }

  function link(side, index) {
    const runs = SIDES.map((each) => (each === side ? [index] : [...state.selection[each]]));
    choose(state);
    const pairs = block(runs[0], runs[1]);
    act.join(pairs);
    last = { runs, side, kind: state.links[pairs[0]]?.kind ?? null };
    if (visited) return goOn();
    act.show();
    board.follow({ side, index });
  }

  function goOn() {
    end();
    if (!visits.goOn(visited)) board.focus(visited);
  }

  // More words, up to this one or by one, wait for their match, or are linked like the last ones.
  function widen(through) {
    const side = waitingSide();
    if (side !== null) return pick(side, upTo(side, [...state.selection[side]], through));
    if (!last) return;
    const runs = last.runs.map((run, each) => (each === last.side ? upTo(each, run, through) : run));
    act.put(block(runs[0], runs[1]), last.kind);
    last = { ...last, runs };
  }

  // The words after the last ones are linked in the same way, one with one.
  function goAlong(waiting) {
    if (waiting !== null || !last) return;
    const next = last.runs.map((run) => Math.max(...run) + 1);
    if (next.some((index, side) => index >= texts[side].length)) return;
    act.put([next.join("-")], last.kind);
    last = { ...last, runs: next.map((index) => [index]) };
    act.show();
    board.follow({ side: last.side, index: next[last.side] });
  }

  function upTo(side, run, index) {
    const [low, high] = [Math.min(...run), Math.max(...run)];
    const end = Math.min(index ?? high + 1, texts[side].length - 1);
    const [from, to] = [Math.min(low, end), Math.max(high, end)];
    return Array.from({ length: to - from + 1 }, (_, at) => from + at);
  }

  function goBack(waiting) {
    typed = "";
    last = null;
    if (waiting === null) return act.undo();
    const own = Object.keys(state.links).filter((pair) => state.selection[waiting].has(ends(pair)[waiting]));
    if (!own.length) return pick(waiting, []);
    act.put(own, null);
  }

  // Show where the next letter leads. Returns what to type, or null without letters.
  function render() {
    if (!on) return null;
    const side = waitingSide();
    board.element.dataset.typed = String(side === null ? 0 : 1 - side);
    return side === null ? [strings.letters] : compose(strings.lettersMatch, { words: h("bdi", {}, wordsOf(side)) });
  }

  function wordsOf(side) {
    return [...state.selection[side]].map((index) => texts[side][index]).join(" ");
  }

  return { start, render };
}
