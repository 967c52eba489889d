// Type-ahead on a board: people type the number or the first letters of a node. All matching nodes are marked. A single
// match is selected immediately, and Enter selects the first match.

import { h, say } from "../js/annotate/dom.js";
import { isolated } from "./wording.js";

// words(node): the text that is compared with the typed letters, isolated for a sentence of the page; act: mark(nodes),
// take(node), left(): nothing was selected; back(): cancelled with Esc
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
    element.hidden = true;
    show([]);
    act.left();
  }

  function look(event) {
    if (event.isComposing) return;
    const typed = plain(input.value);
    show(typed ? fitting(typed) : among);
    said.textContent = answerTo(typed);
    if (typed && matches.length === 1) take(matches[0]);
  }

  function decide(event) {
    if (event.isComposing || !["Enter", "Escape"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    const typed = plain(input.value);
    if (event.key === "Escape") {
      close();
      return act.back();
    }
    if (typed && matches.length) take(matches[0]);
  }

  function answerTo(typed) {
    if (!matches.length) return say(strings.findNone, { typed: isolated(input.value) });
    return typed ? say(strings.findMany, { word: words(matches[0]) }) : strings.findHow;
  }

  function take(node) {
    element.hidden = true;
    show([]);
    act.take(node);
  }

  function show(nodes) {
    matches = nodes;
    act.mark(nodes);
  }

  // The node with exactly the number that is typed comes first, because Enter takes the first.
  function fitting(typed) {
    const isExact = ({ index }) => typed === `${index + 1}`;
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
