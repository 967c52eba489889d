// What was chosen here and is not yet on the server. Everything is kept on this device first, then sent in order, and
// sent again until the server has it or says why not. One request is under way at a time: none overtakes another.

import { Refused, Unreachable } from "./api.js";
import { same } from "./dom.js";
import { forget, recall, remember } from "./storage.js";

const DRAFT_AFTER = 500; // ms without a change
const SLOW = 400; // ms until "Saving…" is shown
const RETRIES = [1000, 2000, 4000, 8000, 15000]; // ms; the last one again and again

// listeners: onState("saving" | "saved" | "kept"), onOutcome(position, outcome) for answers that got through late, and
// onRefused(error). The assignment's questions hold `revision`, `value` and `draft` as the server knows them.
export function createOutbox(client, assignment, listeners) {
  const key = `accord:outbox:${assignment.id}`;
  const questions = new Map(assignment.questions.map((question) => [question.position, question]));
  const waiting = restore();
  const askers = new Map(); // who waits for the outcome of a position's answer
  let line = Promise.resolve();
  let draftTimer = 0;
  let retryTimer = 0;
  let failures = 0;
  let submitting = false;
  let closed = false;

  // What a reload or a crash left behind; the server's word counts where it has moved on without us.
  function restore() {
    const kept = Object.entries(recall(key) ?? {}).filter(([position, { revision }]) => {
      const question = questions.get(Number(position));
      return question && !question.final && revision >= question.revision;
    });
    return new Map(kept.map(([position, entry]) => [Number(position), entry]));
  }

  function put(position, change) {
    const question = questions.get(position);
    waiting.set(position, { ...waiting.get(position), revision: question.revision, ...change });
    const value = change.give?.value ?? change.draft;
    if (value !== undefined) question.sent = [...(question.sent ?? []), value].slice(-20);
    keep();
  }

  function drop(position, sent) {
    const entry = waiting.get(position);
    if (!entry) return;
    for (const name of Object.keys(sent)) if (same(entry[name], sent[name])) delete entry[name];
    entry.revision = questions.get(position).revision;
    if (!("draft" in entry || "give" in entry || "acknowledge" in entry)) waiting.delete(position);
    keep();
  }

  function keep() {
    if (waiting.size) remember(key, Object.fromEntries(waiting));
    else forget(key);
  }

  async function flush() {
    for (const position of [...waiting.keys()].sort((a, b) => a - b)) {
      for (const [name, send] of Object.entries({
        give: sendGive,
        draft: sendDraft,
        acknowledge: sendAcknowledgement,
      })) {
        const entry = waiting.get(position);
        if (!entry || !(name in entry)) continue;
        const sent = entry[name];
        try {
          await send(position, sent);
        } catch (error) {
          // What was refused is not asked again, except with a new token.
          if (error instanceof Refused && error.status !== 401) drop(position, { [name]: sent });
          throw error;
        }
        drop(position, { [name]: sent });
      }
    }
  }

  async function sendDraft(position, draft) {
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

  // A request whose reply got lost moved the revision on, and nobody else did.
  async function wasOurs(position) {
    const mine = questions.get(position);
    const theirs = (await client.assignment(assignment.id)).questions.find((other) => other.position === position);
    if (!mine.sent?.some((value) => same(value, theirs.draft ?? theirs.value))) return false;
    mine.revision = theirs.revision;
    return true;
  }

  async function sendGive(position, give) {
    const question = questions.get(position);
    const outcome = await client.give(assignment.id, position, give.value, give.seconds);
    if (!same(question.value, give.value)) question.revision += 1;
    question.value = give.value;
    if (outcome.final || outcome.feedback.length) question.final = true;
    const tell = askers.get(position) ?? ((late) => listeners.onOutcome(position, late));
    tell(outcome);
  }

  async function sendAcknowledgement(position, { disputed, note }) {
    await client.acknowledge(assignment.id, position, disputed, note);
  }

  // Do `work` when all before it is through; true when it got through itself. "Saving…" is shown when it takes long.
  async function attempt(work) {
    const slow = setTimeout(() => listeners.onState("saving"), SLOW);
    clearTimeout(retryTimer);
    const result = line.then(work);
    line = result.catch(() => {}); // this attempt reports the failure; the line goes on
    try {
      await result;
      failures = 0;
      if (!closed) listeners.onState("saved");
      return true;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      listeners.onState("kept");
      if (!submitting) retryTimer = setTimeout(retry, delay());
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
    if (closed || submitting || !waiting.size) return;
    try {
      await attempt(flush);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      listeners.onRefused(error);
    }
  }

  window.addEventListener("online", retry);

  return {
    waiting,
    retry,

    draft(position, draft) {
      put(position, { draft });
      clearTimeout(draftTimer);
      draftTimer = setTimeout(retry, DRAFT_AFTER);
    },

    // Resolves to {feedback, stopped}, or to null when it is kept here and will be sent later.
    async give(position, value, seconds) {
      clearTimeout(draftTimer);
      delete waiting.get(position)?.draft;
      put(position, { give: { value, seconds } });
      let outcome = null;
      askers.set(position, (known) => (outcome = known));
      try {
        await attempt(flush);
      } finally {
        askers.delete(position);
      }
      return outcome;
    },

    acknowledge(position, disputed, note) {
      put(position, { acknowledge: { disputed, note } });
      return retry();
    },

    // Hand in the HIT with everything that still waits; resolves when the server has it, however long that takes.
    async submit() {
      clearTimeout(draftTimer);
      submitting = true;
      let reply = null;
      const handIn = async () => {
        for (const [position, { acknowledge }] of [...waiting]) {
          if (acknowledge) await sendAcknowledgement(position, acknowledge);
        }
        const gives = [...waiting].filter(([, entry]) => entry.give);
        reply = await client.submit(
          assignment.id,
          gives.map(([position, { give }]) => ({ position, ...give })),
        );
      };
      try {
        while (!(await attempt(handIn))) await pause(delay());
      } finally {
        submitting = false;
      }
      waiting.clear();
      keep();
      return reply;
    },

    // Keep an answer for the submission, without sending it on its own.
    hold(position, value, seconds) {
      delete waiting.get(position)?.draft;
      put(position, { give: { value, seconds } });
    },

    close() {
      closed = true;
      clearTimeout(draftTimer);
      clearTimeout(retryTimer);
      window.removeEventListener("online", retry);
    },
  };
}

// Wait for `ms`, or until the network says that it is back.
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
