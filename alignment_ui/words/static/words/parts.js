// The links of several answers, for a reviewer who decides between them.

import { linksOf, listsOf } from "../pairs/kinds.js";
import { inOrder } from "../pairs/state.js";
import { createWording } from "../pairs/wording.js";

// One part per pair of words that a link connects in at least one answer.
export function parts({ content, strings }, values) {
  const { pairs: named } = createWording([content.source, content.target], strings);
  const drawings = values.map((value) => linksOf(value));
  const all = inOrder(Object.keys(Object.assign({}, ...drawings))).map((ends) => ends.join("-"));
  return all.map((pair) => ({
    at: pair,
    label: named([pair]),
    readings: drawings.map((links) => {
      const kind = links[pair]?.kind ?? null;
      return { at: pair, part: { pair, kind }, words: strings[kind ?? "noLink"] };
    }),
  }));
}

export function withPart(_, value, { pair, kind }) {
  const { [pair]: _before, ...others } = linksOf(value);
  return listsOf(kind ? { ...others, [pair]: { kind } } : others);
}
