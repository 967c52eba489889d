// The undo and redo steps, which survive a reload of the page. The steps belong to a value. If the answer has changed
// elsewhere since then, the steps are deleted.

import { same } from "./dom.js";
import { recall, remember } from "./storage.js";

const KEPT = "accord:past"; // {page, questions: {question: {log, undo, redo}}}, of the page's own HIT
const LONGEST = 100; // steps back

/**
 * Return the past of one question. `question` distinguishes it from the other questions in its HIT.
 * @param {string} question
 */
export function createPast(question) {
  const here = () => {
    const kept = recall(KEPT, "sessionStorage");
    return kept?.page === location.pathname ? kept : { page: location.pathname, questions: {} };
  };
  return {
    /**
     * @param {unknown[]} log of the value that is shown
     * @returns {{undo: any[], redo: any[]}}
     */
    recall(log) {
      const kept = here().questions[question];
      return kept && same(kept.log, log) ? { undo: kept.undo, redo: kept.redo } : { undo: [], redo: [] };
    },

    /**
     * @param {{log: unknown[], undo: unknown[], redo: unknown[]}} state
     */
    keep({ log, undo, redo }) {
      const kept = here();
      kept.questions[question] = { log, undo: undo.slice(-LONGEST), redo: redo.slice(-LONGEST) };
      remember(KEPT, kept, "sessionStorage");
    },
  };
}
