// The tour of the demonstration shows one step at a time. Its link leads to the step's page and to the next step. The tour
// ends for good after its last step or when somebody ends it.

import { all, one } from "../annotate/dom.js";

const ENDED = "ended";
const tour = one("[data-tour]");
if (tour) {
  const name = `tour ${tour.dataset.tour}`;
  const steps = [...all("li", tour)];
  const place = () => {
    const stored = localStorage.getItem(name);
    return stored === ENDED ? steps.length : Number(stored);
  };

  /** @param {string} state */
  const keep = (state) => {
    localStorage.setItem(name, state);
    show();
  };

  const show = () => {
    const current = place();
    tour.hidden = current >= steps.length;
    for (const [number, step] of steps.entries()) step.hidden = number !== current;
  };

  for (const [number, step] of steps.entries()) {
    one("a", step).addEventListener("click", () => keep(number + 1 < steps.length ? String(number + 1) : ENDED));
  }
  one("button", tour).addEventListener("click", () => {
    keep(ENDED);
    one("#main").focus();
  });
  window.addEventListener("storage", show); // another tab
  show();
}
