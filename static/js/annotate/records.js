// The data about a HIT that this device stores until the HIT is submitted: one record per question, in the browser's
// storage. A page that is reloaded, opened twice or started offline continues with these records.
//
// Record: {revision, value, skipped, draft, final, feedback}, as the server last stated them, and the unsent choices:
// give {value, seconds, activity} or {skipped, seconds, activity}, unsaved {draft}, acknowledge {disputed, note}. `sent`
// are the last values sent from here, and `seen` is true after the feedback was read.

import { same } from "./dom.js";
import { forget, recall, remember } from "./storage.js";

const WAITING = ["give", "unsaved", "acknowledge"];
const REMEMBERED = 20; // values in `sent`

/**
 * @typedef {object} Question a question of the page's assignment
 * @property {number} position
 * @property {number} revision
 * @property {any} value
 * @property {string} skipped
 * @property {any} draft
 * @property {boolean} final
 * @property {any} feedback
 * @property {any} [held] the answer that waits to be sent
 * @property {any[]} [sent]
 */

/**
 * @param {{id: string, questions: Question[]}} assignment
 */
export function createRecords(assignment) {
  const whole = `accord:hit:${assignment.id}`;
  const questions = new Map(assignment.questions.map((question) => [question.position, question]));
  // The unsent drafts of this window by position. If a second window writes the same record at the same moment, the
  // storage loses the draft. Sending a draft again is harmless, because the server rejects outdated drafts.
  const drafts = new Map();
  const key = (/** @type {number} */ position) => `${whole}:${position}`;
  const read = (/** @type {number} */ position) => recall(key(position)) ?? {};
  for (const question of questions.values()) restore(question);

  // Use the newer of the page and the record. The page can be an old copy, and another device can have made changes
  // that the record does not contain.
  /** @param {Question} question */
  function restore(question) {
    const record = recall(key(question.position));
    if (!record) return;
    const ours = record.sent?.some((/** @type {any} */ value) => same(value, question.draft ?? question.value));
    if (record.revision > question.revision || (record.final && !question.final)) {
      const { revision, value, skipped = "", draft, final, feedback } = record;
      Object.assign(question, { revision, value, skipped, draft, final, feedback });
    } else if (record.revision < question.revision && !ours) {
      delete record.give;
      delete record.unsaved;
    }
    if (record.seen) question.feedback = null;
    if (question.final) {
      delete record.give;
      delete record.unsaved;
    }
    question.sent = record.sent ?? [];
    if (record.give?.skipped) question.skipped = record.give.skipped;
    else if (record.give) Object.assign(question, { held: record.give.value, skipped: "" });
    if (record.unsaved) question.draft = record.unsaved.draft;
    else if (record.give) question.draft = null;
    write(question.position, record);
  }

  /**
   * @param {number} position
   * @param {Record<string, any>} record
   */
  function write(position, record) {
    const question = /** @type {Question} */ (questions.get(position));
    const newest = (record.revision ?? -1) > question.revision ? record : question;
    const { revision, value, skipped, draft, final, feedback } = newest;
    remember(key(position), { ...record, revision, value, skipped, draft, final, feedback, sent: question.sent ?? [] });
  }

  /**
   * @param {number} position
   * @returns {Record<string, any>} the unsent choices
   */
  function waiting(position) {
    const unsaved = drafts.get(position);
    const record = unsaved ? { ...read(position), unsaved } : read(position);
    return Object.fromEntries(Object.entries(record).filter(([name]) => WAITING.includes(name)));
  }

  return {
    waiting,
    positions: () => [...questions.keys()].filter((position) => Object.keys(waiting(position)).length),

    /**
     * @param {number} position
     * @param {Record<string, any>} change the new unsent choices
     */
    put(position, change) {
      const question = /** @type {Question} */ (questions.get(position));
      const value = change.give?.value ?? change.unsaved?.draft;
      drafts.delete(position);
      if (change.unsaved) drafts.set(position, change.unsaved);
      if (value !== undefined) question.sent = [...(question.sent ?? []), value].slice(-REMEMBERED);
      write(position, { ...read(position), ...change });
    },

    // Remove a choice that has been sent, unless it has changed in the meantime.
    /**
     * @param {number} position
     * @param {string} name
     * @param {any} sent
     */
    drop(position, name, sent) {
      const record = read(position);
      if (name === "unsaved" && same(drafts.get(position), sent)) drafts.delete(position);
      if (same(record[name], sent)) delete record[name];
      write(position, record);
    },

    // The question on the screen, to which a page that is opened again returns.
    place: () => recall(`${whole}:at`),
    /** @param {number} position */
    stay: (position) => remember(`${whole}:at`, position),

    // An intention to submit survives a reload.
    submitting: () => Boolean(recall(`${whole}:submitting`)),
    intend: () => remember(`${whole}:submitting`, true),
    relent: () => forget(`${whole}:submitting`),

    forget() {
      drafts.clear();
      for (const position of questions.keys()) forget(key(position));
      forget(`${whole}:submitting`);
      forget(`${whole}:at`);
    },
  };
}
