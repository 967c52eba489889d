// The theme of the page: the theme of the system, or the choice stored in this browser. This is a classic script in the
// head, so that the first paint already has the right theme. Buttons with data-theme-set="light|dark|system" change the
// theme.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");

  function stored() {
    try {
      return localStorage.getItem("theme") || "system";
    } catch {
      return "system"; // storage is shut off in this browser: the system's theme it is
    }
  }

  /** @param {string} choice */
  function keep(choice) {
    try {
      localStorage.setItem("theme", choice);
    } catch {
      return; // the choice applies only to this page
    }
  }

  /** @param {string} choice */
  function show(choice) {
    const dark = choice === "dark" || (choice === "system" && system.matches);
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    /** @type {NodeListOf<HTMLElement>} */
    const buttons = document.querySelectorAll("[data-theme-set]");
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(button.dataset.themeSet === choice));
    }
  }

  show(stored());
  system.addEventListener("change", () => show(stored()));
  addEventListener("storage", (event) => event.key === "theme" && show(stored()));
  document.addEventListener("DOMContentLoaded", () => show(stored()));
  document.addEventListener("click", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const button = /** @type {HTMLElement | null} */ (target.closest?.("[data-theme-set]"));
    const choice = button?.dataset.themeSet;
    if (!choice) return;
    keep(choice);
    show(choice);
  });
})();
