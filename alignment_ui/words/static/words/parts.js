// The links in which two answers differ, for reviewers who take single links of an annotator.

import { linksOf } from "../pairs/kinds.js";
import { inOrder } from "../pairs/state.js";
import { createWording } from "../pairs/wording.js";

// Each part has the kind of the link in `theirs`, or null if `theirs` has no link between the two words.
export function differences({ content, strings }, own, theirs) {
  const { pairs: named } = createWording([content.source, content.target], strings);
  const [before, after] = [linksOf(own), linksOf(theirs)];
  const all = inOrder(Object.keys({ ...before, ...after })).map((ends) => ends.join("-"));
  return all
    .map((pair) => ({ pair, kind: after[pair]?.kind ?? null }))
    .filter(({ pair, kind }) => kind !== (before[pair]?.kind ?? null))
    .map((part) => ({ part, at: part.pair, words: `${named([part.pair])}: ${strings[part.kind ?? "notLinked"]}` }));
}
