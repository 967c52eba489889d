// Data that survives a reload, stored on this device: the answers to the last few assignments of the study, and the
// texts that a worker has read. Workers who share a browser have separate data if the host names them.

import { recall, remember } from "../annotate/storage.js";

const LAST = 20;
const NAME = 24; // characters at the beginning of a row, which differ in all rows of all studies

/**
 * @typedef {{value: any, seconds: number, done: boolean, final: boolean, graded?: any,
 *   feedback: string | null, note?: string}} Answer
 * @typedef {{assignment: string, worker: string | null, row: string, answers: Answer[]}} Kept
 */

// texts: a digest of the consent text and the instructions; row: the row of the HIT.
/**
 * @param {object} page
 * @param {string} page.study
 * @param {string} page.texts
 * @param {string} page.row
 * @param {{assignment: string | null, worker: string | null}} page.platform
 */
export function createKept({ study, texts, row, platform }) {
  const { assignment, worker } = platform;
  const [answersKey, readKey] = [`accord:mturk:${study}`, `accord:mturk:${study}:read`];
  const name = row.slice(0, NAME);
  const reader = `${texts} ${worker ?? ""}`;
  /** @type {() => Kept[]} */
  const all = () => recall(answersKey) ?? [];
  /** @type {() => string[]} */
  const readers = () => recall(readKey) ?? [];
  // Two installations of a host can use the same ID for two assignments, which have different rows.
  /** @param {Kept} one */
  const isThis = (one) => one.assignment === assignment && one.row === name;

  return {
    // The answers to this assignment. If the worker returned the HIT and accepted the HIT again, gold questions keep their
    // first answers, because the worker has seen the expected answers.
    /** @param {() => Answer} unanswered */
    read(unanswered) {
      const same = all().find(isThis);
      if (same) return same.answers;
      const earlier = worker && all().findLast((one) => one.worker === worker && one.row === name);
      return earlier ? earlier.answers.map((answer) => (answer.final ? answer : unanswered())) : null;
    },

    /** @param {Answer[]} answers */
    write(answers) {
      if (!assignment) return;
      const others = all().filter((one) => !isThis(one));
      remember(answersKey, [...others, { assignment, worker, row: name, answers }].slice(-LAST));
    },

    hasRead: () => readers().includes(reader),

    setRead() {
      if (!readers().includes(reader)) remember(readKey, [...readers(), reader].slice(-LAST));
    },
  };
}
