// The data about the assignment that Mechanical Turk adds to the page's address.

const PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE";
const SUBMIT = "/mturk/externalSubmit";

// assignment: its ID, or null; preview: whether the HIT has not been accepted yet; action: the URL for the answers, or
// null if the address is not allowed. `origins` are the origins to which answers can be sent, including all their
// subdomains. The first origin is used if the address does not contain one.
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
