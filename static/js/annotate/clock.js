// The time spent on each question, without pauses and without the time during which the page was not visible.

import { recall, remember } from "./storage.js";

/**
 * @param {string} assignment
 * @param {() => number} [now]
 */
export function createClock(assignment, now = () => performance.now()) {
  const key = `accord:clock:${assignment}`;
  const spent = recall(key, "sessionStorage") ?? {};
  /** @type {number | null} */
  let position = null;
  /** @type {number | null} */
  let since = null;
  let paused = false;

  function stop() {
    if (since !== null && position !== null) spent[position] = (spent[position] ?? 0) + (now() - since) / 1000;
    since = null;
    remember(key, spent, "sessionStorage");
  }

  function go() {
    if (position !== null && since === null && !paused && !document.hidden) since = now();
  }

  function seen() {
    if (document.hidden) stop();
    else go();
  }
  document.addEventListener("visibilitychange", seen);

  return {
    /** @param {number} next */
    turnTo(next) {
      stop();
      position = next;
      go();
    },
    pause() {
      stop();
      paused = true;
    },
    resume() {
      paused = false;
      go();
    },
    /** @param {number} of */
    seconds(of) {
      const running = of === position && since !== null ? (now() - since) / 1000 : 0;
      return Math.round(((spent[of] ?? 0) + running) * 1000) / 1000;
    },
    destroy() {
      stop();
      document.removeEventListener("visibilitychange", seen);
    },
  };
}
