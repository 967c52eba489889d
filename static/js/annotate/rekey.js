// Changes of keys in the list of keys: after a press on a task's key, the next key replaces it. If two actions have the
// same key, they swap keys. The page's own keys cannot be changed. For one hand, each action with a key on the other half
// of the keyboard has a second usual key.

import { say } from "./dom.js";
import { capOf, chooseHand, chooseKeys, keysOf, namesOf } from "./keymap.js";
import { recall, remember } from "./storage.js";

const RESERVED = ["i", "Shift+i", "p", "Shift+p", "b", "?", "`", "=", "[", "]", "Enter", " ", "Tab", "Shift+Tab"];
const HAND = "accord:hand"; // "left" or "right"
const LEFT_HALF = /^(Shift[+])?[1-5qwertasdfgzxcvb]$/;
const HELD = ["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock"];

export function rekeyable(dialog, strings) {
  const buttons = [...dialog.querySelectorAll("[data-action]")];
  const hands = dialog.querySelector("[data-hand]");
  const stops = dialog.querySelector("[data-tab-stops]");
  const said = dialog.querySelector("[data-rekey-said]");
  const back = dialog.querySelector("[data-rekey-back]");
  let waiting = null; // the button that is waiting for its new key

  for (const button of buttons) button.addEventListener("click", () => wait(button));
  back.addEventListener("click", () => choose(each(undefined), strings.keysUsual));
  hands.value = recall(HAND) ?? "";
  hands.addEventListener("change", takeHand);
  chooseHand(hands.value ? usualKeys() : {});
  dialog.addEventListener("keydown", (event) => waiting && take(event));
  dialog.addEventListener("close", () => wait(null));
  render();

  // One hand also needs Tab, or a bracket, to reach everything without a key.
  function takeHand() {
    remember(HAND, hands.value);
    chooseHand(hands.value ? usualKeys() : {});
    choose(each(undefined), "");
    if (hands.value && !stops.checked) stops.click();
  }

  function usualKeys() {
    return Object.fromEntries(buttons.map(({ dataset }) => [dataset.action, keyOf(dataset)]));
  }

  function keyOf({ usual, other }) {
    const isThere = LEFT_HALF.test(usual) === (hands.value === "left");
    return hands.value && !isThere ? (other ?? usual) : usual;
  }

  function each(key) {
    return Object.fromEntries(buttons.map(({ dataset }) => [dataset.action, key]));
  }

  function wait(button) {
    waiting = waiting === button ? null : button;
    if (waiting) said.textContent = strings.keyPress;
    render();
  }

  function take(event) {
    if (HELD.includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    const names = namesOf(event);
    const key = capOf(names[0]);
    const { action } = waiting.dataset;
    waiting = null;
    if (event.key === "Escape") choose({}, "");
    else if (
      names.some((name) => RESERVED.includes(name)) ||
      event.key.startsWith("Arrow") ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey
    ) {
      choose({}, say(strings.keyTaken, { key }));
    } else choose(swapped(action, names), say(strings.keyChosen, { key }));
  }

  function swapped(action, names) {
    const keys = keysOf(usualKeys());
    const [other, taken] = Object.entries(keys).find(([, key]) => names.includes(key)) ?? [];
    return { ...(other && { [other]: keys[action] }), [action]: taken ?? names[0] };
  }

  function choose(keys, words) {
    chooseKeys(keys);
    said.textContent = words;
    render();
  }

  function render() {
    const usual = usualKeys();
    const keys = keysOf(usual);
    for (const button of buttons) {
      button.setAttribute("aria-pressed", button === waiting);
      button.querySelector("kbd").textContent = button === waiting ? "…" : capOf(keys[button.dataset.action]);
    }
    back.hidden = buttons.every(({ dataset: { action } }) => keys[action] === usual[action]);
  }
}
