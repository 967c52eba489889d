// The dialogs of the page: instructions, keys and pause. All are <dialog> elements in the page's markup, so that the
// focus stays inside, Esc closes the dialog, and the focus returns to its previous element.

import { Unreachable } from "./api.js";
import { all, digits, one, say, targetOf } from "./dom.js";
import { rekeyable } from "./rekey.js";
import { listenToSteps } from "./steps.js";
import { recall, remember } from "./storage.js";

const SINGLE_KEYS = "accord:single-keys"; // single keys can be switched off: WCAG 2.1.4
const TAB_STOPS = "accord:tab-stops"; // whether Tab stops at everything that can be pressed

export function createPanels({ client, strings, clock, onChange, onOpen = (/** @type {string} */ _panel) => {} }) {
  const dialogs = Object.fromEntries(
    ["instructions", "keys", "pause", "choices", "changed"].map((name) => [
      name,
      /** @type {HTMLDialogElement} */ (document.getElementById(name)),
    ]),
  );
  let singleKeys = recall(SINGLE_KEYS) ?? true;
  let tabStops = recall(TAB_STOPS) ?? false;

  for (const dialog of Object.values(dialogs)) {
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog && outside(dialog, event)) dialog.close(); // the backdrop
      if (targetOf(event).closest("[data-close]")) dialog.close();
    });
  }
  for (const button of all("[data-open]")) {
    button.addEventListener("click", () => open(button.dataset.open));
  }

  dialogs.pause.addEventListener("close", () => {
    one("[data-code]", dialogs.pause).hidden = true;
    one("[data-get-code]", dialogs.pause).hidden = false;
    clock().resume();
  });
  one("[data-get-code]", dialogs.pause).addEventListener("click", showCode);

  const toggle = /** @type {HTMLInputElement} */ (one("[data-single-keys]", dialogs.keys));
  toggle.checked = singleKeys;
  toggle.addEventListener("change", () => {
    singleKeys = toggle.checked;
    remember(SINGLE_KEYS, singleKeys);
    onChange();
  });

  const stops = /** @type {HTMLInputElement} */ (one("[data-tab-stops]", dialogs.keys));
  stops.checked = tabStops;
  stops.addEventListener("change", () => {
    tabStops = stops.checked;
    remember(TAB_STOPS, tabStops);
  });

  rekeyable(dialogs.keys, strings);
  listenToSteps({ single: () => singleKeys, everywhere: () => tabStops });

  function open(name) {
    for (const dialog of Object.values(dialogs)) dialog.close();
    if (name === "pause") clock().pause();
    onOpen(name);
    dialogs[name].showModal();
  }

  function isOpen() {
    return Object.values(dialogs).some((dialog) => dialog.open);
  }

  async function showCode() {
    const status = one("[data-code-status]", dialogs.pause);
    const button = one("[data-get-code]", dialogs.pause);
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    status.textContent = "";
    try {
      const { code } = await client.resumeCode();
      const output = one("[data-code-text]", dialogs.pause);
      output.textContent = code;
      one("[data-code]", dialogs.pause).hidden = false;
      output.focus();
      button.hidden = true; // another code would replace this code
    } catch (error) {
      if (error instanceof Unreachable) status.textContent = strings.codeOffline;
      else status.textContent = (error instanceof Error && error.message) || strings.failed;
    } finally {
      button.removeAttribute("aria-disabled");
    }
  }

  // The time until which the assignment is reserved, in the annotator's own time zone.
  function keepUntil(moment) {
    const place = one("[data-until]", dialogs.pause);
    /** @type {Intl.DateTimeFormatOptions} */
    const format = { weekday: "long", hour: "numeric", minute: "2-digit" };
    const time = new Date(moment).toLocaleString(digits(), format);
    place.textContent = say(place.dataset.until, { time });
  }

  return { open, isOpen, keepUntil, singleKeys: () => singleKeys };
}

function outside(dialog, { clientX, clientY }) {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
