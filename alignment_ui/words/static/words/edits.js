// Every change of an alignment: what was before is kept for undo, what was done goes into the log.

import { linkOf } from "../pairs/kinds.js";
import { change, inOrder, redo, undo } from "../pairs/state.js";

// changed(words): the change is to be shown and reported
export function createEdits(state, { suggested, proposed, wording, strings, changed }) {
  // The clock goes on from the answer's last entry, so that times stay in order after a reload.
  const begin = performance.now() - (state.log.at(-1)?.[0] ?? 0);

  // Linking again what is linked so already removes the links.
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

  // What is only proposed, or was removed, is linked by a press.
  function add(pair, via) {
    put([pair], (proposed[pair] ?? suggested[pair]).kind, via);
  }

  // Sure becomes possible, possible becomes sure.
  function turn(pairs, via) {
    const linked = pairs.filter((pair) => state.links[pair]);
    put(linked, linked.some((pair) => state.links[pair].kind === "sure") ? "possible" : "sure", via);
  }

  // An end of a link goes to another word. If the two words are linked already, one of the links is enough.
  function move(pair, to, via) {
    const { kind } = state.links[pair];
    const pairsChanged = change(state, { [pair]: null, [to]: linkOf(to, kind, suggested) });
    note("move", via, pairsChanged, wording.done([to], strings[kind]));
  }

  function step(op, via) {
    const pairsChanged = (op === "undo" ? undo : redo)(state);
    const now = pairsChanged.map((pair) => wording.pair(pair, state)).join("; ");
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
