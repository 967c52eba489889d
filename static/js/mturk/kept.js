// Answers to the last few assignments of the study, stored on this device so that they survive a reload.

import { recall, remember } from "../annotate/storage.js";

const LAST = 20;

/**
 * @param {string} study
 * @param {string | null} assignment
 */
export function createKept(study, assignment) {
  const key = `accord:mturk:${study}`;
  /** @type {() => {assignment: string, answers: object[]}[]} */
  const all = () => recall(key) ?? [];
  return {
    read: () => (assignment && all().find((one) => one.assignment === assignment)?.answers) || null,
    /** @param {object[]} answers */
    write(answers) {
      if (!assignment) return;
      const others = all().filter((one) => one.assignment !== assignment);
      remember(key, [...others, { assignment, answers }].slice(-LAST));
    },
  };
}
