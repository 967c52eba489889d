import { targetOf } from "./dom.js";

// The keys of the page. The page handles its keys before the keys of the task, and text fields and dialogs keep their
// keys.

/** @type {Record<string, string>} */
const PANELS = { i: "instructions", p: "pause", "?": "keys" };
const BACK = "b";
const ONWARD = ["`", "="]; // do what Enter does, for one hand: Enter can also press what has the focus

// closed(): whether a dialog receives the keys; single(): whether single keys are on; open(panel); enter(); back();
// task(event) → taken
/**
 * @param {object} page
 * @param {() => boolean} page.closed
 * @param {() => boolean} page.single
 * @param {(panel: string) => void} page.open
 * @param {() => void} page.enter
 * @param {() => void} page.back
 * @param {(event: KeyboardEvent) => boolean} page.task
 */
export function listen({ closed, single, open, enter, back, task }) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || closed()) return;
    if (targetOf(event).closest("textarea, input:not([type=radio], [type=checkbox], [type=range])")) return;
    if (event.key === "Enter" || (ONWARD.includes(event.key) && single())) {
      if (event.repeat)
        event.preventDefault(); // a key that is held down counts as one press
      else if (event.key !== "Enter" || !targetOf(event).closest("a, button")) {
        event.preventDefault();
        enter();
      }
    } else if (single() && !event.repeat) {
      const pressed = letter(event);
      const panel = PANELS[pressed];
      if (panel) open(panel);
      else if (pressed === BACK && !event.shiftKey) back();
      else if (!task(event)) return;
      event.preventDefault();
    }
  });
}

// The letter of a key or, in a layout without Latin letters, the letter that the same key has in other layouts.
/**
 * @param {{key: string, code?: string}} event
 */
export function letter({ key, code }) {
  if (/^[\x20-\x7e]$/.test(key)) return key.toLowerCase();
  return code?.match(/^Key([A-Z])$/)?.[1].toLowerCase() ?? key;
}
