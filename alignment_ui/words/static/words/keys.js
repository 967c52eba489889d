// The keys of this task: single keys, which annotators can change, and Ctrl+Z.

import { actionOf, written } from "../js/annotate/keymap.js";

export const KEYS = {
  sure: "s",
  possible: "d",
  turn: "t",
  remove: "Backspace",
  undo: "z",
  redo: "Shift+z",
  matrix: "m",
  changes: "c",
  confirm: "a",
  next: "u",
  find: "/",
  letters: ",",
  along: ".",
};
const LOOKING = ["matrix", "changes", "next"]; // what changes nothing

// actions: by name; close(): closes the bar of a link, on Escape
export function listenToKeys(actions, { disabled, close }) {
  document.addEventListener("keydown", chord);

  // Returns true for a key of this task.
  function press(event) {
    const name = actionOf(event, KEYS);
    if (!name || (disabled && !LOOKING.includes(name))) return false;
    actions[name]("key");
    return true;
  }

  // Ctrl+Z and Ctrl+Shift+Z (⌘ on a Mac), because the page does not pass on such keys.
  function chord(event) {
    if (event.key === "Escape" && !event.target.closest("dialog")) return close();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.closest("input, textarea, dialog")) return;
    const key = written(event);
    if (disabled || !["z", "Shift+z"].includes(key)) return;
    event.preventDefault();
    actions[key === "z" ? "undo" : "redo"]("key");
  }

  return { press, destroy: () => document.removeEventListener("keydown", chord) };
}
