// The annotators' part of the API. A request either succeeds, is rejected with a reason, or does not reach the server.

import { language } from "./dom.js";

const TIMEOUT = 10_000;
const KEEPALIVE_LIMIT = 60_000; // bytes, because browsers send at most 64 KiB after a page has been closed

// The server rejected the request. `code` is for programs, and `message` is for people and can be empty.
export class Refused extends Error {
  constructor(status, { code = "", message = "", fields = {} } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
  }

  // The question that a rejected submission names: "answers.3.best" refers to the third question. 0 means no question.
  get position() {
    return Number(Object.keys(this.fields)[0]?.match(/^answers\.(\d+)/)?.[1] ?? 0);
  }
}

// The server did not respond or is too busy, so the request can be repeated.
export class Unreachable extends Error {}

export function createClient(root, token) {
  async function request(method, path, body) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const response = await send(`${root}${path}`, {
      method,
      headers: {
        Authorization: `Participation ${token}`,
        "Accept-Language": language(), // messages come in the language of the page
        "Content-Type": "application/json",
      },
      body: text,
      credentials: "same-origin",
      keepalive: outlivesPage(text),
      cache: "no-store",
    });
    if (response.status === 429 || response.status >= 500) throw new Unreachable(`status ${response.status}`);
    const json = await readJson(response);
    if (!response.ok) throw new Refused(response.status, json ?? {});
    return json;
  }

  const answer = (id, position) => `assignments/${encodeURIComponent(id)}/answers/${position}`;
  return {
    claim: () => request("POST", "claims", {}),
    assignment: (id) => request("GET", `assignments/${encodeURIComponent(id)}`),
    saveDraft: (id, position, draft, revision) => request("PUT", `${answer(id, position)}/draft`, { draft, revision }),
    give: (id, position, give) => request("PUT", answer(id, position), give),
    remark: (id, position, kind, text) => request("POST", `${answer(id, position)}/remarks`, { kind, text }),
    returnSet: (id, putAside) =>
      request("POST", `assignments/${encodeURIComponent(id)}/return`, { put_aside: putAside }),
    acknowledge: (id, position, disputed, note) =>
      request("POST", `${answer(id, position)}/acknowledgement`, { disputed, note }),
    submit: (id, answers) =>
      request("POST", `assignments/${encodeURIComponent(id)}/submission`, {
        answers,
        next: true,
        left: true,
        feedback_first: true,
      }),
    resumeCode: () => request("POST", "resume-code", {}),
  };
}

// Drafts are also sent when the page is left, because the page is then hidden.
function outlivesPage(text = "") {
  return document.hidden && new Blob([text]).size <= KEEPALIVE_LIMIT;
}

async function send(url, options) {
  try {
    return await fetch(url, { ...options, signal: AbortSignal.timeout(TIMEOUT) });
  } catch (error) {
    throw new Unreachable(String(error));
  }
}

async function readJson(response) {
  const text = await response.text();
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    if (response.ok) throw new Unreachable("what came back was not the server's"); // a captive portal, say
    return null;
  }
}
