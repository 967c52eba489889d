// The keys of this task: single keys, which people can change; digits for scores; Ctrl+Z; and Ctrl with an arrow key.

import { digit } from "../js/annotate/digit.js";
import { actionOf, written } from "../js/annotate/keymap.js";

export const KEYS = {
  EQUI: "e",
  OPPO: "o",
  SPE1: "d",
  SPE2: "k",
  SIMI: "s",
  REL: "r",
  NOALI: "n",
  ALIC: "a",
  FACT: "f",
  POL: "l",
  rest: "t",
  offer: "v",
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

// 1 to 5 or, for the right hand, 6 to 0.
export function numberOf(event) {
  const pressed = event.shiftKey ? null : digit(event);
  return pressed === null ? null : ((pressed + TOP + TOP - 1) % TOP) + 1;
}

// actions: by name; score(number): sets the score of the selected link; bound(forward): moves the end of a chunk
export function listenToKeys(actions, { disabled, score, bound }) {
  document.addEventListener("keydown", chord);
  document.addEventListener("keydown", arrow, true); // before the board, on which arrow keys move the focus

  // Returns true for a key of this task.
  function press(event) {
    const number = numberOf(event);
    if (number) {
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

  // Ctrl with an arrow key or, on a Mac, Option, because Ctrl leads to another desktop there.
  function arrow(event) {
    if (disabled || !(event.ctrlKey || event.altKey) || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    if (!event.target.matches("[role=option]")) return;
    event.preventDefault();
    event.stopPropagation();
    const onward = getComputedStyle(event.target).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    bound(event.key === onward);
  }

  function destroy() {
    document.removeEventListener("keydown", chord);
    document.removeEventListener("keydown", arrow, true);
  }

  return { press, destroy };
}
