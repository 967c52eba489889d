// All changes of an alignment. The previous state is stored for undo, and each change is added to the log.

import { linkOf } from "../pairs/kinds.js";
import { change, inOrder, redo, undo } from "../pairs/state.js";

// changed(words): shows and announces the change
export function createEdits(state, { suggested, proposed, wording, strings, changed }) {
  // The clock continues from the last log entry of the answer, so that times stay in order after a reload.
  const begin = performance.now() - (state.log.at(-1)?.[0] ?? 0);

  // Linking pairs again with the same kind of link removes the links.
  function join(pairs, kind, via) {
    const already = pairs.every((pair) => state.links[pair]?.kind === kind);
    put(pairs, already ? null : kind, via);
  }

  // Give pairs a link of this kind, or none.
  function put(pairs, kind, via) {
    const changes = pairs.map((pair) => [pair, kind && linkOf(pair, kind, suggested)]);
    const pairsChanged = change(state, Object.fromEntries(changes));
    note(kind ?? "remove", via, pairsChanged, wording.done(pairsChanged, kind ? strings[kind] : strings.gone));
  }

  // A press links pairs that are only proposals or were removed.
  function add(pair, via) {
    put([pair], (proposed[pair] ?? suggested[pair]).kind, via);
  }

  // Change sure links to possible links, and possible links to sure links.
  function turn(pairs, via) {
    const linked = pairs.filter((pair) => state.links[pair]);
    put(linked, linked.some((pair) => state.links[pair].kind === "sure") ? "possible" : "sure", via);
  }

  // Move an end of a link to another word. If the two words are already linked, only one of the links remains.
  function move(pair, to, via, kind = state.links[pair].kind) {
    const pairsChanged = change(state, { [pair]: null, [to]: linkOf(to, kind, suggested) });
    note("move", via, pairsChanged, wording.done([to], strings[kind]));
  }

  function step(op, via) {
    const pairsChanged = (op === "undo" ? undo : redo)(state);
    const [first, ...others] = pairsChanged;
    const now = others.length ? wording.count("links", pairsChanged.length) : first && wording.pair(first, state);
    note(op, via, pairsChanged, `${op === "undo" ? strings.undone : strings.redone} ${now}`);
  }

  function reset(via) {
    const all = Object.keys({ ...state.links, ...suggested });
    const pairsChanged = change(state, Object.fromEntries(all.map((pair) => [pair, suggested[pair] ?? null])));
    note("reset", via, pairsChanged, strings.isReset);
  }

  function note(op, via, pairs, words, deliberate = false) {
    if (!pairs.length && !deliberate) return;
    state.log.push([Math.round(performance.now() - begin), op, via, inOrder(pairs)]);
    changed(words);
  }

  return { join, put, add, turn, move, step, reset, confirm: (via, words) => note("confirm", via, [], words, true) };
}
