// Presses before the modules of the page have run. This script runs in the head, so that it hears the first press. It
// holds the presses of buttons that need a module: buttons that submit no form, and the buttons of forms with
// `data-held`. When all modules have run, it repeats these presses and the changes of fields.
//
// A form is sent only once: a second press before the reply arrives has no effect. Forms with `data-downloads` can be
// sent again, because the page stays when a file arrives.
(() => {
  const HELD = "button[type=button]:not([data-theme-set]), form[data-held] [type=submit]";

  /** @type {Set<HTMLElement>} */
  const pressed = new Set();
  const changes = ["input", "change"];
  /** @type {{field: HTMLInputElement, type: string, checked: boolean}[]} */
  const changed = [];

  /** @param {Event} event */
  function hold(event) {
    const control = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(HELD));
    if (!control) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    pressed.add(control);
  }

  /** @param {Event} event */
  function note({ target, type }) {
    const field = /** @type {HTMLInputElement} */ (target);
    changed.push({ field, type, checked: field.checked });
  }

  async function release() {
    const modules = /** @type {NodeListOf<HTMLScriptElement>} */ (
      document.querySelectorAll("script[type=module][src]")
    );
    await Promise.allSettled([...modules].map(({ src }) => import(src))); // modules can wait for other modules
    document.removeEventListener("click", hold, true);
    for (const type of changes) document.removeEventListener(type, note);
    for (const { field, type, checked } of changed) {
      if (field.type === "checkbox") field.checked = checked;
      field.dispatchEvent(new Event(type, { bubbles: true }));
    }
    for (const control of pressed) control.click();
  }

  document.addEventListener("click", hold, true);
  for (const type of changes) document.addEventListener(type, note);
  // Classic scripts that wait for the same event come first.
  document.addEventListener("DOMContentLoaded", () => setTimeout(release));

  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (event.defaultPrevented || form.method === "dialog" || form.matches("[hx-get], [data-figures]")) return;
    if (form.dataset.sent && !form.matches("[data-downloads]")) event.preventDefault();
    form.dataset.sent = "yes";
  });

  // The browser's back button must show the form as it was, ready to be sent again.
  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) form.removeAttribute("data-sent");
  });
})();
