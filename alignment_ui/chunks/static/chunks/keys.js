// The keys of this task: single keys, which people can change; digits for scores; and Ctrl+Z.

import { digit } from "../js/annotate/digit.js";
import { actionOf, written } from "../js/annotate/keymap.js";

export const KEYS = {
  EQUI: "e",
  OPPO: "o",
  SPE1: "Shift+1",
  SPE2: "Shift+2",
  SIMI: "s",
  REL: "r",
  NOALI: "n",
  ALIC: "a",
  FACT: "f",
  POL: "l",
  rest: "Shift+n",
  confirm: "y",
  join: "j",
  split: "x",
  singles: "w",
  steps: "c",
  go: "g",
  next: "u",
  find: "/",
  remove: "Backspace",
  undo: "z",
  redo: "Shift+z",
};
const LOOKING = ["steps", "go", "next"]; // what changes nothing
const TOP = 5;

// actions: by name; score(number): sets the score of the selected link
export function listenToKeys(actions, { disabled, score }) {
  document.addEventListener("keydown", chord);

  // Returns true for a key of this task.
  function press(event) {
    const number = digit(event);
    if (number !== null && !event.shiftKey && number <= TOP) {
      if (!disabled) score(number);
      return true;
    }
    const name = actionOf(event, KEYS);
    if (!name || (disabled && !LOOKING.includes(name))) return false;
    actions[name]("key");
    return true;
  }

  // Ctrl+Z and Ctrl+Shift+Z (⌘ on a Mac), because the page does not pass on such keys.
  function chord(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    if (event.target.closest("textarea, input[type=text], dialog")) return;
    const key = written(event);
    if (disabled || !["z", "Shift+z"].includes(key)) return;
    event.preventDefault();
    actions[key === "z" ? "undo" : "redo"]("key");
  }

  return { press, destroy: () => document.removeEventListener("keydown", chord) };
}
