// Type-ahead on a board: people type the number or the first letters of a node. All matching nodes are marked. A single
// match is taken immediately, and Enter takes the first match. Many people finish typing a word that has already been
// taken, so its other letters must not become shortcuts: the field keeps them until Enter, a pause, or another key.

import { h, say } from "../js/annotate/dom.js";
import { isolated } from "./wording.js";

const PAUSE = 800; // ms after the last letter of a word that is already taken
const WITHIN_WORD = /^([\p{L}\p{M}\p{N}'’-]|Backspace|Dead|Process)$/u;
const MODIFIERS = ["Shift", "AltGraph", "Alt", "Control", "Meta", "CapsLock"];

// words(node): the text that is compared with the typed letters, isolated for a sentence of the page; act: mark(nodes),
// take(node), left(): nothing was taken; back(): the search has ended by a key; press(event): a key of the task
export function createFinder({ strings, words, act }) {
  const input = h("input", {
    class: "input",
    id: "find",
    type: "text",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    "aria-describedby": "find-said",
    oninput: look,
    onkeydown: decide,
    onblur: close,
  });
  const said = h("span", { id: "find-said", class: "faint", role: "status" });
  const label = h("label", { for: "find" });
  const element = h("div", { class: "finder", hidden: true }, label, input, said);
  let among = []; // nodes that may be meant
  let matches = [];
  let pause = 0; // the timer that ends the search after a node has been taken, or 0

  // about: a sentence, as nodes, about the search; nodes: the searched nodes
  function open(about, nodes) {
    among = nodes;
    label.replaceChildren(...about);
    input.value = "";
    said.textContent = strings.findHow;
    element.hidden = false;
    show(nodes);
    input.focus();
  }

  function close() {
    if (element.hidden) return;
    const isTaken = Boolean(pause);
    clearTimeout(pause);
    pause = 0;
    element.hidden = true;
    if (isTaken) return;
    show([]);
    act.left();
  }

  function end() {
    close();
    act.back();
  }

  function look(event) {
    if (pause) return wait();
    if (event.isComposing) return;
    const typed = plain(input.value);
    show(typed ? fitting(typed) : among);
    said.textContent = answerTo(typed);
    if (typed && matches.length === 1) {
      take(matches[0]);
      wait();
    }
  }

  function wait() {
    clearTimeout(pause);
    pause = setTimeout(end, PAUSE);
  }

  function decide(event) {
    if (event.isComposing) return;
    const typed = plain(input.value);
    if (pause) return afterwards(event);
    if (!["Enter", "Escape"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter") {
      if (!typed || !matches.length) return;
      take(matches[0]);
      wait();
    }
    end();
  }

  // A node has been taken. A key that cannot continue what is typed ends the search and, except Enter and Esc, is passed
  // on to the task.
  function afterwards(event) {
    const isWhole = among.some(({ index }) => `${index + 1}` === plain(input.value));
    if (MODIFIERS.includes(event.key) || (!isWhole && WITHIN_WORD.test(event.key))) return;
    event.stopPropagation();
    end();
    if (event.key === "Tab") return;
    event.preventDefault();
    if (!["Enter", "Escape"].includes(event.key)) act.press(event);
  }

  function answerTo(typed) {
    if (!matches.length) return say(strings.findNone, { typed: isolated(input.value) });
    return typed ? say(strings.findMany, { word: words(matches[0]) }) : strings.findHow;
  }

  function take(node) {
    said.textContent = ""; // the page says what has been linked
    show([]);
    act.take(node);
  }

  function show(nodes) {
    matches = nodes;
    act.mark(nodes);
  }

  // A node with exactly the number or the letters that are typed comes first, because Enter takes the first.
  function fitting(typed) {
    const isExact = (node) => typed === `${node.index + 1}` || typed === plain(words(node));
    return among.filter((node) => fits(typed, node)).sort((a, b) => Number(isExact(b)) - Number(isExact(a)));
  }

  function fits(typed, { side, index }) {
    return /^\d+$/.test(typed) ? `${index + 1}`.startsWith(typed) : plain(words({ side, index })).startsWith(typed);
  }

  return { element, open, close };
}

// Only letters and digits, ignoring case and accents: “am” finds “A man”.
function plain(text) {
  return text
    .normalize("NFKD")
    .toLocaleLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}
