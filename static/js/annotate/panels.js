// What lies over the page: instructions, keys, pause. All are <dialog>s of the page's own markup, so that focus stays
// inside, Esc closes, and the focus goes back to where it came from.

import { Unreachable } from "./api.js";
import { language, say } from "./dom.js";
import { rekeyable } from "./rekey.js";
import { recall, remember } from "./storage.js";

const SINGLE_KEYS = "accord:single-keys"; // single keys can be switched off: WCAG 2.1.4

export function createPanels({ client, strings, clock, onChange }) {
  const dialogs = Object.fromEntries(
    ["instructions", "keys", "pause"].map((name) => [name, document.getElementById(name)]),
  );
  let singleKeys = recall(SINGLE_KEYS) ?? true;

  for (const dialog of Object.values(dialogs)) {
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog && outside(dialog, event)) dialog.close(); // the backdrop
      if (event.target.closest("[data-close]")) dialog.close();
    });
  }
  for (const button of document.querySelectorAll("[data-open]")) {
    button.addEventListener("click", () => open(button.dataset.open));
  }

  dialogs.pause.addEventListener("close", () => {
    dialogs.pause.querySelector("[data-code]").hidden = true;
    clock().resume();
  });
  dialogs.pause.querySelector("[data-get-code]").addEventListener("click", showCode);

  const toggle = dialogs.keys.querySelector("[data-single-keys]");
  toggle.checked = singleKeys;
  toggle.addEventListener("change", () => {
    singleKeys = toggle.checked;
    remember(SINGLE_KEYS, singleKeys);
    onChange();
  });

  rekeyable(dialogs.keys, strings);

  function open(name) {
    for (const dialog of Object.values(dialogs)) dialog.close();
    if (name === "pause") clock().pause();
    dialogs[name].showModal();
  }

  function isOpen() {
    return Object.values(dialogs).some((dialog) => dialog.open);
  }

  async function showCode() {
    const status = dialogs.pause.querySelector("[data-code-status]");
    const button = dialogs.pause.querySelector("[data-get-code]");
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    status.textContent = "";
    try {
      const { code } = await client.resumeCode();
      dialogs.pause.querySelector("[data-code-text]").textContent = code;
      dialogs.pause.querySelector("[data-code]").hidden = false;
    } catch (error) {
      status.textContent = error instanceof Unreachable ? strings.codeOffline : error.message || strings.failed;
    } finally {
      button.removeAttribute("aria-disabled");
    }
  }

  // How long the assignment is kept, in the annotator's own time.
  function keepUntil(moment) {
    const place = dialogs.pause.querySelector("[data-until]");
    const format = { weekday: "long", hour: "numeric", minute: "2-digit" };
    const time = new Date(moment).toLocaleString(language(), format);
    place.textContent = say(place.dataset.until, { time });
  }

  return { open, isOpen, keepUntil, singleKeys: () => singleKeys };
}

function outside(dialog, { clientX, clientY }) {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
