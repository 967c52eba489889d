// What an annotator can do about a question other than answer it: write to the research team, skip the question, or
// return the set. All three are forms of one dialog.

import { Refused, Unreachable } from "./api.js";
import { all, one } from "./dom.js";

/**
 * @param {object} page
 * @param {any} page.client
 * @param {Record<string, any>} page.strings
 * @param {() => {assignment: any, question: any}} page.current the assignment and the question on the screen
 * @param {(reason: string) => void} page.skip
 * @param {(request: () => Promise<void>) => Promise<void>} page.giveBack
 * @param {(part?: string) => void} page.leave
 */
export function createChoices({ client, strings, current, skip, giveBack, leave }) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("choices"));
  const said = one("[data-choices-said]", dialog);
  const forms = Object.fromEntries(
    ["remark", "skip", "return"].map((name) => [name, /** @type {HTMLFormElement} */ (one(`[data-${name}]`, dialog))]),
  );

  dialog.addEventListener("close", () => {
    said.textContent = "";
    for (const form of Object.values(forms)) form.reset();
    for (const part of all("details", dialog)) part.removeAttribute("open");
  });
  onSubmit("remark", async (fields) => {
    const { assignment, question } = current();
    const kind = fields.get("problem") ? "problem" : "comment";
    await client.remark(assignment.id, question.position, kind, String(fields.get("text")).trim());
    forms.remark.reset();
    said.textContent = strings.remarkSent;
  });
  onSubmit("skip", async (fields) => {
    const details = String(fields.get("note")).trim();
    dialog.close();
    skip([fields.get("reason"), details].filter(Boolean).join(" "));
  });
  onSubmit("return", async (fields) => {
    const putAside = fields.has("put_aside");
    await giveBack(() => client.returnSet(current().assignment.id, putAside));
    dialog.close();
    leave(putAside ? "#put-aside" : "#returned"); // a notice on the overview
  });

  /**
   * @param {string} name
   * @param {(fields: FormData) => Promise<void>} act
   */
  function onSubmit(name, act) {
    const form = forms[name];
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (form.ariaBusy === "true") return; // a second press while the first is on its way
      form.ariaBusy = "true";
      said.textContent = "";
      try {
        await act(new FormData(form));
      } catch (error) {
        if (error instanceof Unreachable) said.textContent = strings.choiceOffline;
        else if (error instanceof Refused) said.textContent = error.message || strings.failed;
        else throw error;
      } finally {
        form.ariaBusy = null;
      }
    });
  }

  return {
    // Offer only what is possible with the question on the screen.
    offer() {
      const { assignment, question } = current();
      one("[data-skips]", dialog).hidden = !assignment.study.skips || question.final;
      one("[data-returns]", dialog).hidden = assignment.kind !== "regular";
    },
  };
}
