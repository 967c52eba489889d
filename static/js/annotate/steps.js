// Everything on the page by few keys. [ and ] lead to the previous and the next control, as Shift+Tab and Tab do for
// the other hand. If Tab stops everywhere, for switches and for one hand, Tab also leads to each word, tool and choice,
// and Enter presses them.

import { targetOf } from "./dom.js";

const STOPS = "a[href], button, input, select, textarea, summary, iframe, [role=option], [tabindex]";
const WITHOUT_STOP = "button, [role=option], input"; // that arrow keys reach, usually
/** @type {Record<string, number>} */
const BRACKETS = { "[": -1, "]": 1 }; // not their places, where German keyboards have ü and +

/**
 * single: whether single keys are on; beyond: what the brackets do after the last control, if not start again
 * @param {{single: () => boolean, everywhere: () => boolean, beyond?: (by: number) => void}} page
 */
export function listenToSteps({ single, everywhere, beyond }) {
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Enter" ? everywhere() && !event.repeat && press(targetOf(event)) : walk(event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    },
    true, // before the keys of the task
  );

  /** @param {KeyboardEvent} event */
  function walk(event) {
    const isText = targetOf(event).matches("textarea, input:not([type=radio], [type=checkbox])");
    if (event.key === "Tab") return everywhere() && step(stopsAfter(event.shiftKey ? -1 : 1, true).next);
    if (!(event.key in BRACKETS) || !single() || (isText && !everywhere())) return false; // the way out for one hand
    const by = BRACKETS[event.key];
    const { next, first } = stopsAfter(by, everywhere());
    if (next || !beyond) return step(next ?? first);
    beyond(by);
    return true;
  }
}

/**
 * Move from a frame to the control before or after it.
 * @param {HTMLElement} frame
 * @param {number} by 1 or -1
 * @param {boolean} everywhere
 */
export function stepFrom(frame, by, everywhere) {
  const { next, first } = stopsAfter(by, everywhere, frame);
  step(next ?? first);
}

/** @param {HTMLElement | undefined} stop */
function step(stop) {
  stop?.focus();
  return Boolean(stop); // after the last stop, Tab leads out of the page
}

/**
 * @param {number} by 1 or -1
 * @param {boolean} everywhere
 * @param {Element} here
 */
function stopsAfter(by, everywhere, here = document.activeElement ?? document.body) {
  const root = document.querySelector("dialog[open]") ?? document.body;
  const stops = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(STOPS)]).filter(
    (stop) =>
      (stop.tabIndex >= 0 || (everywhere && stop.matches(WITHOUT_STOP))) &&
      !stop.matches(":disabled") &&
      stop.checkVisibility({ visibilityProperty: true }),
  );
  const isBeyond = (/** @type {HTMLElement} */ stop) =>
    here.compareDocumentPosition(stop) & (by > 0 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING);
  const ordered = by > 0 ? stops : stops.toReversed();
  return { next: ordered.find(isBeyond), first: ordered[0] };
}

// Press what Enter does not press by itself: a choice, or a word as with Space.
/** @param {HTMLElement} target */
function press(target) {
  if (target.matches("[type=radio], [type=checkbox]")) target.click();
  else if (target.matches("[role=option]"))
    target.dispatchEvent(new KeyboardEvent("keydown", { key: " ", code: "Space", bubbles: true, cancelable: true }));
  else return false;
  return true;
}
