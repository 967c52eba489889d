// The data about the assignment that the host adds to the page's address.

const PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE";
const SUBMIT = "/mturk/externalSubmit";

// assignment, worker: the IDs, or null; preview: whether the worker has not accepted the HIT yet; action: the URL for the
// answers, or null if the address has no URL or its origin is not allowed. `origins` are the origins to which a page
// without a host's form can send answers, including all their subdomains.
/**
 * @param {string} search
 * @param {string[]} origins
 */
export function readPlatform(search, origins) {
  const asked = new URLSearchParams(search);
  const assignment = asked.get("assignmentId");
  const turk = asked.get("turkSubmitTo");
  const to = turk ?? asked.get("urlSubmitTo") ?? "";
  const allowed = origins.some((origin) => within(to, origin));
  return {
    assignment: assignment === PREVIEW ? null : assignment,
    worker: asked.get("workerId"),
    preview: assignment === PREVIEW,
    action: allowed ? new URL(turk ? SUBMIT : to, to).href : null,
  };
}

/**
 * @param {string} address
 * @param {string} origin
 */
function within(address, origin) {
  if (!URL.canParse(address)) return false;
  const [to, allowed] = [new URL(address), new URL(origin)];
  const sameHost = to.hostname === allowed.hostname || to.hostname.endsWith(`.${allowed.hostname}`);
  return sameHost && to.protocol === allowed.protocol && to.port === allowed.port;
}
