// The undo and redo steps, which survive a reload of the page, and the selected words, which also survive a crash of
// the browser. The steps belong to a value. If the answer has changed elsewhere since then, the steps are deleted.

import { same } from "./dom.js";
import { forget, recall, remember } from "./storage.js";

const KEPT = "accord:past"; // {page, questions: {question: {log, undo, redo}}}, of the page's own HIT
const PLACE = "accord:place"; // {page, question, at}, of the question on the screen
const LONGEST = 100; // steps back
const SOON = 200; // ms: storage takes longer than drawing, so it waits until the change can be seen

/** @type {Map<string, () => void>} */
const waiting = new Map(); // by storage key
addEventListener("pagehide", write);

/**
 * @param {string} key
 * @param {() => void} save
 */
function later(key, save) {
  if (!waiting.size) setTimeout(write, SOON);
  waiting.set(key, save);
}

function write() {
  for (const save of waiting.values()) save();
  waiting.clear();
}

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
      write();
      const kept = here().questions[question];
      return kept && same(kept.log, log) ? { undo: kept.undo, redo: kept.redo } : { undo: [], redo: [] };
    },

    // What was selected when the page was closed or the browser crashed, or null.
    place() {
      const kept = recall(PLACE);
      return kept?.page === location.pathname && kept.question === question ? kept.at : null;
    },

    /** @param {unknown} at what is selected */
    stay(at) {
      later(PLACE, () => same(at, this.place()) || remember(PLACE, { page: location.pathname, question, at }));
    },

    leave() {
      waiting.delete(PLACE);
      forget(PLACE);
    },

    /**
     * @param {{log: unknown[], undo: unknown[], redo: unknown[]}} state
     */
    keep({ log, undo, redo }) {
      const steps = { log: [...log], undo: undo.slice(-LONGEST), redo: redo.slice(-LONGEST) };
      later(KEPT, () => {
        const kept = here();
        kept.questions[question] = steps;
        remember(KEPT, kept, "sessionStorage");
      });
    },
  };
}
