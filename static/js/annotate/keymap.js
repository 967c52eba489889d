// The single keys of a task. A task names its actions and their usual keys. People can choose other keys, which this
// device stores.

import { digit } from "./digit.js";
import { letter } from "./keys.js";
import { recall, remember } from "./storage.js";

const KEPT = "accord:keys";
const OF_HAND = "accord:hand-keys"; // the keys for one hand, on the page that was opened last
/** @type {Record<string, string>} */
const CAPS = { Backspace: "⌫", " ": "␣", ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" };

// usual: {action: "s" or "Shift+z"}. Returns the same with the keys that were chosen on this device.
/**
 * @param {Record<string, string>} usual
 * @returns {Record<string, string>}
 */
export function keysOf(usual) {
  const chosen = { ...recall(OF_HAND), ...recall(KEPT) };
  return Object.fromEntries(Object.entries(usual).map(([action, key]) => [action, chosen[action] ?? key]));
}

/**
 * @param {Record<string, string>} keys the usual keys for one hand, or none
 */
export function chooseHand(keys) {
  remember(OF_HAND, keys);
  document.dispatchEvent(new Event("keyschosen"));
}

/**
 * @param {Record<string, string | undefined>} keys undefined: the usual key again
 */
export function chooseKeys(keys) {
  remember(KEPT, { ...recall(KEPT), ...keys });
  document.dispatchEvent(new Event("keyschosen"));
}

// A key press in the notation above. Some keyboard layouts need Shift to type a sign: on a German keyboard, the slash
// is Shift+7.
/**
 * @param {KeyboardEvent} event
 */
export function written(event) {
  const key = letter(event);
  const isSign = /^[!-/:-@[-\x60{-~]$/.test(key);
  return event.shiftKey && !isSign ? `Shift+${key}` : key;
}

// The names of a press, the first of which is stored for a chosen key. The keys of the digits have two names, because a
// layout decides what they type: Shift+1 is "Shift+1" on every keyboard, and "!" on many.
/**
 * @param {KeyboardEvent} event
 * @returns {string[]}
 */
export function namesOf(event) {
  const typed = written(event).replace("Delete", "Backspace");
  const number = digit(event);
  return number === null ? [typed] : [`${event.shiftKey ? "Shift+" : ""}${number}`, typed];
}

// The name of the action for the pressed key.
/**
 * @param {KeyboardEvent} event
 * @param {Record<string, string>} usual
 * @returns {string | undefined}
 */
export function actionOf(event, usual) {
  const names = namesOf(event);
  return Object.entries(keysOf(usual)).find(([, key]) => names.includes(key))?.[0];
}

// A key as aria-keyshortcuts writes it: "Shift+Z".
/**
 * @param {string} key
 */
export function shortcut(key) {
  return key.replace(/(^|\+)([a-z])$/, (_, plus, letter) => plus + letter.toUpperCase());
}

// "Shift+z" as a key cap shows it: "⇧ Z".
/**
 * @param {string} key
 */
export function capOf(key) {
  const plain = key.match(/[^+]+$|\+$/)?.[0] ?? key;
  const cap = CAPS[plain] ?? (plain.length === 1 ? plain.toUpperCase() : plain);
  return key.startsWith("Shift+") ? `⇧ ${cap}` : cap;
}
