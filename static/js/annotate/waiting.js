// "Wait here": while another annotator holds the last set, the page tries to claim it again and again. It opens the set as
// soon as it is free, and shows the annotator's overview again when nothing is left to wait for.

import { createClient, Refused, Unreachable } from "./api.js";

const LOOK_AGAIN = 15_000;

const offer = /** @type {HTMLButtonElement} */ (document.querySelector("[data-waits]"));
const status = /** @type {HTMLElement} */ (document.getElementById("waits"));
const client = createClient(offer.dataset.waits ?? "", offer.dataset.token ?? "");

offer.hidden = false;
offer.addEventListener("click", () => {
  offer.hidden = true;
  status.hidden = false;
  status.focus();
  look();
});

async function look() {
  try {
    const claimed = await client.claim();
    if (claimed.assignment) {
      location.assign((offer.dataset.work ?? "").replace("ASSIGNMENT", claimed.assignment.id));
      return;
    }
    if (!claimed.free_by) {
      location.reload();
      return;
    }
  } catch (error) {
    if (error instanceof Refused) {
      location.reload(); // the overview states the reason, for example a new consent text
      return;
    }
    if (!(error instanceof Unreachable)) throw error;
  }
  setTimeout(look, LOOK_AGAIN);
}
