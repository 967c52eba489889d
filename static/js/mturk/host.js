// The form that submits the answers: the host's form around the page, whose address never changes, or a form of the
// page's own if the address of the page contains an allowed URL.

const FORMS = "form, crowd-form";

/** @typedef {HTMLElement & {submit: () => void}} HostForm a form, or the element <crowd-form> of a host's library */

// root: the page; answers: the field that is submitted; asked(): called if the worker presses a button of the host. The
// host's form is submitted only by `send`.
/**
 * @param {object} page
 * @param {HTMLElement} page.root
 * @param {HTMLInputElement} page.answers
 * @param {{assignment: string | null, preview: boolean, action: string | null}} page.platform
 * @param {() => void} page.asked
 */
export function createHost({ root, answers, platform, asked }) {
  const { assignment, preview, action } = platform;
  const form = /** @type {HostForm | null} */ (root.closest(FORMS));
  let sent = false;

  form?.addEventListener("submit", (event) => {
    if (sent || event.target !== form) return; // the form for a dispute is inside the host's form
    event.preventDefault();
    const { submitter } = /** @type {SubmitEvent} */ (event);
    if (!submitter || !root.contains(submitter)) asked();
  });

  return {
    accepts: !preview && Boolean(form || (action && assignment)),

    /** @param {string} text */
    send(text) {
      sent = true;
      answers.value = text;
      // Hosts store each field that has a name, so the fields of the last question lose their names.
      for (const field of root.querySelectorAll("[name]")) field.removeAttribute("name");
      const target = form ?? ownForm();
      if (target instanceof HTMLFormElement) HTMLFormElement.prototype.requestSubmit.call(target);
      else target.submit();
    },
  };

  function ownForm() {
    const own = document.createElement("form");
    const id = document.createElement("input");
    Object.assign(own, { method: "post", action });
    Object.assign(id, { type: "hidden", name: "assignmentId", value: assignment });
    own.append(id, answers);
    root.after(own);
    return own;
  }
}
