// All changes use this module, which stores the previous state for undo and adds the change to the log. After undo or
// redo, the view shows the place of the change: the chunks or the links.

import { same } from "../js/annotate/dom.js";

// changed(words): shows and announces the change
export function createHistory(state, changed) {
  const shownAt = performance.now();

  function edit(next, op, via, detail, words) {
    if (same(next, state.document)) return;
    state.undo.push({ document: state.document, words, step: state.step });
    state.redo = [];
    state.document = next;
    note(op, via, detail, words);
  }

  // op: "undo" or "redo"; said: the beginning of the message
  function step(op, via, said) {
    const [from, to] = op === "undo" ? [state.undo, state.redo] : [state.redo, state.undo];
    const last = from.pop();
    if (!last) return;
    to.push({ ...last, document: state.document });
    const stays = same(last.document.chunks, state.document.chunks) && last.step === state.step;
    if (!stays) state.chosen = null; // another element may now be in its place
    Object.assign(state, { document: last.document, step: last.step });
    note(op, via, null, `${said} ${last.words}`);
  }

  function note(op, via, detail, words) {
    state.log.push([Math.round(performance.now() - shownAt), op, via, detail]);
    changed(words);
  }

  return { edit, step, note };
}
