// Summarizes an annotator's activity while each question is on the screen. Only studies that collect activity summaries
// load this module, and only for annotators who have accepted a consent text that mentions the summaries. A summary
// contains counts and timings. Keys, positions and texts never leave this module.

const MOST = 500; // intervals and paths that are stored per question
const MOST_COUNTED = 100_000; // the server rejects larger counts
const LONGEST_AWAY = 86_400; // seconds; the server rejects longer times
const PATH_PAUSE = 500; // ms without movement that end a pointer path
const SHORTEST_PATH = 100; // px; the direction of shorter paths is mostly noise
const FEWEST_MOVES = 5;
const SAME_PRESS = 50; // ms between a key or click and a further click that it causes
const LENGTHS = [
  [20, "short"],
  [200, "medium"],
  [Number.POSITIVE_INFINITY, "long"],
];
const BY_HAND = ["keydown", "pointerdown", "pointerup", "mousedown", "click"];
const INPUT = [...BY_HAND, "input", "change", "paste"]; // the browser also sends these to a field that a script clicks

/**
 * @typedef {object} Activity what happened while one question was on the screen
 * @property {number} untrusted
 * @property {number} losses
 * @property {number} away ms
 * @property {number} pastes
 * @property {number} longest characters of the longest pasted text
 * @property {number} keys
 * @property {number[]} keyIntervals ms
 * @property {number} presses
 * @property {number[]} pressIntervals ms
 * @property {number} paths
 * @property {number[]} straightness
 */

/** @returns {Activity} */
const nothing = () => ({
  untrusted: 0,
  losses: 0,
  away: 0,
  pastes: 0,
  longest: 0,
  keys: 0,
  keyIntervals: [],
  presses: 0,
  pressIntervals: [],
  paths: 0,
  straightness: [],
});

/**
 * Return a clock with the same functions that also summarizes the activity on each question. The pauses of the clock are
 * not part of any summary.
 * @param {ReturnType<typeof import("./clock.js").createClock>} clock
 * @param {() => number} [now]
 */
export function watch(clock, now = () => performance.now()) {
  /** @type {Map<number, Activity>} */
  const questions = new Map();
  let current = nothing();
  let paused = false;
  let handling = false; // the browser's own event is being handled, so scripts that run now are reactions of a page
  let pressed = false; // a pointer is down, so the click that follows belongs to the same press
  let lastKey = Number.NEGATIVE_INFINITY;
  let lastPress = Number.NEGATIVE_INFINITY;
  let lastClick = Number.NEGATIVE_INFINITY;
  /** @type {number | null} */
  let awaySince = null;
  /** @type {{fromX: number, fromY: number, x: number, y: number, length: number, moves: number, at: number} | null} */
  let path = null;

  /** @param {Event} event */
  function input(event) {
    if (!event.isTrusted) current.untrusted += handling || paused ? 0 : 1;
    else if (!handling && BY_HAND.includes(event.type)) {
      handling = true;
      setTimeout(() => {
        handling = false;
      });
    }
    if (paused) return;
    // A message to the research team is not part of an answer, so a pasted message must not look like a pasted answer.
    if (event.target instanceof Element && event.target.closest("dialog")) return interrupt();
    if (event instanceof KeyboardEvent) key(event);
    else if (event.type === "pointerdown") press();
    else if (event.type === "click") click();
    else if (event instanceof ClipboardEvent && event.type === "paste") paste(event);
  }

  /** @param {KeyboardEvent} event */
  function key({ repeat }) {
    if (repeat) return; // the browser repeats a key at equal intervals while it is held down
    current.keys += 1;
    lastKey = interval(current.keyIntervals, lastKey);
  }

  function press() {
    pressed = true;
    endPath();
    current.presses += 1;
    lastPress = interval(current.pressIntervals, lastPress);
  }

  // Assistive technology and scripts click without a pointer. A key clicks the button that has the focus, and a click on
  // a label clicks its field as well.
  function click() {
    if (!pressed && now() - Math.max(lastKey, lastClick) > SAME_PRESS) press();
    pressed = false;
    lastClick = now();
  }

  /** @param {ClipboardEvent} event */
  function paste({ clipboardData }) {
    current.pastes += 1;
    current.longest = Math.max(current.longest, clipboardData?.getData("text/plain").length ?? 0);
  }

  /**
   * @param {number[]} intervals
   * @param {number} last
   */
  function interval(intervals, last) {
    const at = now();
    if (Number.isFinite(last) && intervals.length < MOST) intervals.push(at - last);
    return at;
  }

  /** @param {PointerEvent} event */
  function move({ pointerType, clientX: x, clientY: y }) {
    if (paused || pointerType === "touch") return;
    const at = now();
    if (path && at - path.at > PATH_PAUSE) endPath();
    if (!path) {
      path = { fromX: x, fromY: y, x, y, length: 0, moves: 0, at };
      return;
    }
    path.length += Math.hypot(x - path.x, y - path.y);
    Object.assign(path, { x, y, at, moves: path.moves + 1 });
  }

  function endPath() {
    if (path && path.moves >= FEWEST_MOVES && path.length >= SHORTEST_PATH) {
      const distance = Math.hypot(path.x - path.fromX, path.y - path.fromY);
      current.paths += 1;
      if (current.straightness.length < MOST) current.straightness.push(Math.min(1, distance / path.length));
    }
    path = null;
  }

  /** @param {Event} event */
  function focus(event) {
    if (!event.isTrusted || paused) return;
    const away = document.hidden || event.type === "blur" || !document.hasFocus();
    if (away && awaySince === null) {
      current.losses += 1;
      awaySince = now();
    } else if (!away) comeBack();
  }

  function comeBack() {
    if (awaySince !== null) current.away += now() - awaySince;
    awaySince = null;
  }

  // Nothing before a pause or a new question belongs to what comes after it.
  function interrupt() {
    endPath();
    comeBack();
    pressed = false;
    lastKey = lastPress = Number.NEGATIVE_INFINITY;
  }

  const listening = { capture: true, passive: true };
  for (const type of INPUT) window.addEventListener(type, input, listening);
  window.addEventListener("pointermove", move, listening);
  for (const type of ["blur", "focus"]) window.addEventListener(type, focus);
  document.addEventListener("visibilitychange", focus);

  return {
    ...clock,
    /** @param {number} position */
    turnTo(position) {
      interrupt();
      current = questions.get(position) ?? nothing();
      questions.set(position, current);
      clock.turnTo(position);
    },
    pause() {
      interrupt();
      paused = true;
      clock.pause();
    },
    resume() {
      paused = false;
      clock.resume();
    },
    /** @param {number} position */
    activity(position) {
      const activity = questions.get(position) ?? nothing();
      const running = activity === current && awaySince !== null ? now() - awaySince : 0;
      return summary({ ...activity, away: activity.away + running });
    },
    destroy() {
      for (const type of INPUT) window.removeEventListener(type, input, listening);
      window.removeEventListener("pointermove", move, listening);
      for (const type of ["blur", "focus"]) window.removeEventListener(type, focus);
      document.removeEventListener("visibilitychange", focus);
      clock.destroy();
    },
  };
}

/** @param {Activity} activity */
function summary({
  untrusted,
  losses,
  away,
  pastes,
  longest,
  keys,
  keyIntervals,
  presses,
  pressIntervals,
  ...pointer
}) {
  return {
    untrusted_events: Math.min(untrusted, MOST_COUNTED),
    webdriver: navigator.webdriver === true,
    focus_losses: Math.min(losses, MOST_COUNTED),
    unfocused_seconds: Math.min(LONGEST_AWAY, rounded(away / 1000, 1)),
    pastes: Math.min(pastes, MOST_COUNTED),
    pasted_length: pastes ? LENGTHS.find(([most]) => longest <= Number(most))?.[1] : "",
    keys: Math.min(keys, MOST_COUNTED),
    key_interval_median: quantile(keyIntervals, 0.5),
    key_interval_iqr: spread(keyIntervals),
    presses: Math.min(presses, MOST_COUNTED),
    press_interval_median: quantile(pressIntervals, 0.5),
    press_interval_iqr: spread(pressIntervals),
    pointer_paths: Math.min(pointer.paths, MOST_COUNTED),
    straightness: quantile(pointer.straightness, 0.5, 3),
  };
}

/** @param {number[]} values */
function spread(values) {
  return values.length ? rounded(Number(quantile(values, 0.75)) - Number(quantile(values, 0.25))) : null;
}

/**
 * @param {number[]} values
 * @param {number} share
 * @param {number} [decimals]
 * @returns {number | null} the interpolated quantile, or null without values
 */
function quantile(values, share, decimals = 0) {
  if (!values.length) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.ceil(place);
  return rounded(sorted[below] + (sorted[above] - sorted[below]) * (place - below), decimals);
}

/**
 * @param {number} value
 * @param {number} [decimals]
 */
function rounded(value, decimals = 0) {
  return Number(value.toFixed(decimals));
}
