// The state of a stored answer, and the condition under which an answer is complete.

import { linkOf, linksOf } from "../pairs/kinds.js";
import { createState } from "../pairs/state.js";

// agreed: the links that all annotators drew, which a reviewer starts from instead of the suggestion, or null
export function readState(value, { texts, suggested, agreed }) {
  const links = value ? within(linksOf(value, suggested), texts) : agreed ? kindsOf(agreed, suggested) : suggested;
  return { ...createState(links, suggested), log: [...(value?.log ?? [])] };
}

// The annotator has done something. If there are no links, the annotator has confirmed that last. Links that were not
// drawn here have no log.
export function isComplete(links, log) {
  const any = Object.keys(links).length > 0;
  return log ? log.at(-1)?.[1] === "confirm" || (any && log.length > 0) : any;
}

// A draft is stored unchanged, but links to words that these sentences do not have cannot be drawn.
function within(links, texts) {
  return Object.fromEntries(
    Object.entries(links).filter(([pair]) => pair.split("-").every((index, side) => index in texts[side])),
  );
}

function kindsOf(links, suggested) {
  return Object.fromEntries(Object.entries(links).map(([pair, { kind }]) => [pair, linkOf(pair, kind, suggested)]));
}
