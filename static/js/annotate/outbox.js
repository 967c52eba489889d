// Sends the annotator's choices to the server. All choices are stored in the records first, then sent in order, and
// sent again until the server accepts or rejects them. Only one request is in progress at a time, so no request
// overtakes another. The page waits only for the response to a submission.

import { Refused, Unreachable } from "./api.js";
import { same } from "./dom.js";
import { createRecords } from "./records.js";

const DRAFT_AFTER = 500; // ms without a change
const SLOW = 400; // ms until "Saving…" is shown
const RETRIES = [1000, 2000, 4000, 8000, 15000]; // ms; the last value is repeated

// listeners: onState("saving" | "saved" | "kept"), onOutcome(position, outcome) when the server has an answer,
// unread() → whether an outcome still has to be shown before the HIT is submitted, and onRefused(error, position).
export function createOutbox(client, assignment, listeners) {
  const questions = new Map(assignment.questions.map((question) => [question.position, question]));
  const records = createRecords(assignment);
  let line = Promise.resolve();
  let draftTimer = 0;
  let retryTimer = 0;
  let failures = 0;
  let submitting = false;
  let closed = false;

  // Another tab can have sent an entry in the meantime, so each entry is read when its turn comes.
  async function flush() {
    for (const position of records.positions()) {
      for (const [name, send] of Object.entries({
        give: sendGive,
        unsaved: sendDraft,
        acknowledge: sendAcknowledgement,
      })) {
        const sent = records.waiting(position)[name];
        if (!sent) continue;
        if (closed || (submitting && name !== "acknowledge")) return; // the submission sends the answers
        try {
          await send(position, sent);
        } catch (error) {
          if (!(error instanceof Refused) || error.status === 401) throw error; // a new token can send it
          records.drop(position, name, sent); // a rejected choice is not sent again
          listeners.onRefused(error, position);
          continue;
        }
        records.drop(position, name, sent);
      }
    }
  }

  async function sendDraft(position, { draft }) {
    const question = questions.get(position);
    const save = () => client.saveDraft(assignment.id, position, draft, question.revision + 1);
    let saved;
    try {
      saved = await save();
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== "stale" || !(await wasOurs(position))) throw error;
      saved = await save();
    }
    question.revision = saved.revision;
  }

  // A request whose response was lost has increased the revision, and nobody else has changed it.
  async function wasOurs(position) {
    const mine = questions.get(position);
    const theirs = (await client.assignment(assignment.id)).questions.find((other) => other.position === position);
    if (!mine.sent?.some((value) => same(value, theirs.draft ?? theirs.value))) return false;
    mine.revision = theirs.revision;
    return true;
  }

  async function sendGive(position, give) {
    const question = questions.get(position);
    let outcome;
    try {
      outcome = await client.give(assignment.id, position, give);
    } catch (error) {
      if (error instanceof Refused && error.code === "graded") await adopt(position);
      throw error;
    }
    stored(position, give);
    if (outcome.final || outcome.feedback.length) question.final = true;
    question.feedback = outcome.feedback[0] ?? null;
    if (!closed) listeners.onOutcome(position, outcome);
  }

  function stored(position, { value = null, skipped = "" }) {
    const question = questions.get(position);
    if (!same(question.value, value) || question.skipped !== skipped) question.revision += 1;
    Object.assign(question, { value, skipped });
  }

  // The server has already graded another answer to this question, which this tab or another tab sent earlier.
  async function adopt(position) {
    const theirs = (await client.assignment(assignment.id)).questions.find((other) => other.position === position);
    const { value, skipped, draft, revision, final, feedback } = theirs;
    Object.assign(questions.get(position), { value, skipped, draft, revision, final, feedback, held: null });
    if (feedback) listeners.onOutcome(position, { feedback: [feedback], stopped: false });
  }

  async function sendAcknowledgement(position, { disputed, note }) {
    await client.acknowledge(assignment.id, position, disputed, note);
  }

  // Run `work` after all earlier work has finished. Returns true if `work` succeeds. “Saving…” is shown if this takes
  // long.
  async function attempt(work) {
    const slow = setTimeout(() => listeners.onState("saving"), SLOW);
    clearTimeout(retryTimer);
    const result = line.then(work);
    line = result.catch(() => {}); // this attempt reports the failure, and later work continues
    try {
      await result;
      failures = 0;
      if (!closed) listeners.onState("saved");
      return true;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      if (!closed) listeners.onState("kept");
      if (!submitting && !closed) retryTimer = setTimeout(retry, delay());
      failures += 1;
      return false;
    } finally {
      clearTimeout(slow);
    }
  }

  function delay() {
    return RETRIES[Math.min(failures, RETRIES.length - 1)];
  }

  async function retry() {
    if (closed || submitting || !records.positions().length) return;
    try {
      await attempt(flush);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      listeners.onRefused(error);
    }
  }

  async function untilThrough(work) {
    while (!(await attempt(work))) await pause(delay());
  }

  window.addEventListener("online", retry);

  return {
    retry,
    submitting: records.submitting,
    place: records.place,
    stay: records.stay,

    draft(position, draft) {
      records.put(position, { unsaved: { draft } });
      clearTimeout(draftTimer);
      draftTimer = setTimeout(retry, DRAFT_AFTER);
    },

    // Keep an answer {value, seconds, activity}, or {skipped, seconds, activity} with the reason for skipping the
    // question. The server's outcome comes to `onOutcome` later.
    give(position, give) {
      clearTimeout(draftTimer);
      records.drop(position, "unsaved", records.waiting(position).unsaved);
      records.put(position, { give });
    },

    acknowledge(position, disputed, note) {
      records.put(position, { acknowledge: { disputed, note }, seen: true });
      return retry();
    },

    // Submit the HIT with all unsent answers, no matter how long that takes. Resolves to the server's reply, or to
    // null if feedback arrived that must be read first.
    async submit() {
      clearTimeout(draftTimer);
      records.intend();
      submitting = true;
      let reply = null;
      const handIn = async () => {
        if (listeners.unread()) return;
        for (const position of records.positions()) {
          const { acknowledge } = records.waiting(position);
          if (!acknowledge) continue;
          await sendAcknowledgement(position, acknowledge);
          records.drop(position, "acknowledge", acknowledge);
        }
        const gives = records.positions().map((position) => [position, records.waiting(position).give]);
        const answers = gives.filter(([, give]) => give).map(([position, give]) => ({ position, ...give }));
        reply = await client.submit(assignment.id, answers);
        for (const [position, give] of gives) {
          if (!give) continue;
          stored(position, give);
          records.drop(position, "give", give);
        }
      };
      try {
        await untilThrough(handIn);
      } catch (error) {
        if (!(error instanceof Refused) || error.status !== 401) records.relent();
        throw error;
      } finally {
        submitting = false;
      }
      if (reply && !["leased", "lapsed"].includes(reply.receipt.state)) records.forget();
      return reply;
    },

    // Send all waiting entries, regardless of the time.
    settle: () => untilThrough(flush),

    // Return the HIT with `request` and delete all unsent choices, because the server would reject anything sent later.
    async giveBack(request) {
      clearTimeout(draftTimer);
      const returned = line.then(async () => {
        await request();
        closed = true;
        records.forget();
      });
      line = returned.catch(() => {});
      await returned;
    },

    close() {
      closed = true;
      clearTimeout(draftTimer);
      clearTimeout(retryTimer);
      window.removeEventListener("online", retry);
    },
  };
}

// Wait for `ms`, or until the network is available again.
function pause(ms) {
  return new Promise((/** @type {(nothing?: void) => void} */ resolve) => {
    const timer = setTimeout(end, ms);
    function end() {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      resolve();
    }
    window.addEventListener("online", end);
  });
}
