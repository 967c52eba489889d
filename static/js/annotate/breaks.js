// A reminder to take a break, in studies with this setting. The time between questions is added up, and a longer gap
// counts as a break.

import { recall, remember } from "./storage.js";

const BREAK = 10; // minutes without a new question
const KEY = "accord:working";
const MINUTE = 60_000; // ms

/**
 * Record that a question is shown, and return whether a reminder is due. Each reminder restarts the count.
 * @param {number | null} minutes of work until a reminder, or null for none
 * @param {number} [now] ms
 */
export function breakDue(minutes, now = Date.now()) {
  if (!minutes) return false;
  const work = recall(KEY);
  const since = !work || now - work.last > BREAK * MINUTE ? now : work.since;
  const due = now - since >= minutes * MINUTE;
  remember(KEY, { since: due ? now : since, last: now });
  return due;
}
