// The area below the board: a summary of the alignment, a request for confirmation if nothing was changed, and a
// legend.

import { h, icon, put } from "../js/annotate/dom.js";
import { capOf } from "../js/annotate/keymap.js";
import { sample } from "./drawing.js";

const MARKS = { added: "addedByYou", removed: "suggestionRemoved", changed: "kindChanged" }; // and what they mean

// identical: the number of pairs of words that are the same, which are underlined
export function createFoot({ strings, confirm, identical }) {
  const words = h("span");
  const cap = h("kbd", { "aria-hidden": "true" });
  const button = h("button", { class: "b", type: "button", onclick: confirm }, icon("check"), words, cap);
  const said = h("p", { class: "said" });
  const plain = [look("sure", "", strings.sure), look("possible", "", strings.possible)];
  const marks = Object.entries(MARKS).map(([mark, text]) => look("sure", mark, strings[text]));
  const same = identical ? h("li", { "aria-hidden": "true" }, h("span", { class: "same" }, strings.identical)) : [];
  const element = h("div", { class: "foot" }, button, said, h("ul", { class: "legend" }, plain, same, marks));

  function look(kind, mark, text) {
    return h("li", {}, sample(kind, mark), text);
  }

  return {
    element,
    // changes: the visible marks; ask: the statement to confirm; said: the confirmed statement
    render({ changes, ask, said: confirmed, key }) {
      marks.forEach((each, at) => put(each, "hidden", !changes.has(Object.keys(MARKS)[at])));
      put(button, "hidden", !ask);
      put(words, "textContent", ask || "");
      put(cap, "textContent", capOf(key));
      if (said.textContent !== (confirmed || ""))
        said.replaceChildren(...(confirmed ? [icon("check"), confirmed] : []));
    },
  };
}
