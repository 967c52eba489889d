// The data about the assignment that Mechanical Turk adds to the page's address.

const PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE";
const SUBMIT = "/mturk/externalSubmit";

// assignment: its id, or null; preview: not accepted yet; action: where to post, or null where that is not allowed.
// `origins` are those that answers may go to, with all their subdomains; the first is taken when the address has none.
/**
 * @param {string} search
 * @param {string[]} origins
 */
export function readPlatform(search, origins) {
  const asked = new URLSearchParams(search);
  const assignment = asked.get("assignmentId");
  const to = asked.get("turkSubmitTo") ?? origins[0];
  return {
    assignment: assignment === PREVIEW ? null : assignment,
    preview: assignment === PREVIEW,
    action: origins.some((origin) => within(to, origin)) ? new URL(SUBMIT, to).href : null,
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
