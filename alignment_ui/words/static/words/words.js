// Word alignment: links between the words of two sentences, sure or possible. See README.md for the contract.
// A value is {sure, possible, log}: lists of [i, j], and what was done, as [ms since shown, op, via, pairs].

import { compose, h, same } from "../js/annotate/dom.js";
import { keysOf, written } from "../js/annotate/keymap.js";
import { recall, remember } from "../js/annotate/storage.js";
import { createBoard } from "../pairs/board.js";
import { showFeedback } from "../pairs/feedback.js";
import { createFoot } from "../pairs/foot.js";
import { comparable, linkF1 } from "../pairs/grading.js";
import { drawn, linkOf, linksOf, listsOf } from "../pairs/kinds.js";
import { createMatrix } from "../pairs/matrix.js";
import { people, proposalsOf, withProposals } from "../pairs/proposals.js";
import { block, change, createState, inOrder, redo, undo } from "../pairs/state.js";
import { createToolbar } from "../pairs/toolbar.js";
import { createWording, identical, sentence } from "../pairs/wording.js";

const KEYS = {
  sure: "s",
  possible: "d",
  turn: "t",
  remove: "Backspace",
  undo: "z",
  redo: "Shift+z",
  matrix: "m",
  changes: "c",
  confirm: "a",
};
const VIEW = "accord:words"; // {matrix, changes}: what is shown, from one question to the next

export function mount(root, { content, value, disabled, given = [], onChange, strings, language, direction }) {
  const texts = [content.source, content.target];
  const labels = [strings.first, strings.second];
  const wording = createWording(texts, strings);
  const suggested = linksOf(content.prealignment);
  const { agreed, proposed } = proposalsOf(given);
  const anySuggested = Object.keys(suggested).length > 0;
  const shownAt = performance.now();
  const state = { ...stateOf(value), kind: "sure", matrix: false, changes: false, ...recall(VIEW) };
  const actions = {
    sure: (via) => setKind("sure", via),
    possible: (via) => setKind("possible", via),
    turn: (via) => turn(pairsInFocus(), via),
    remove: (via) => put(pairsInFocus(), null, via),
    undo: (via) => step("undo", undo, via),
    redo: (via) => step("redo", redo, via),
    matrix: () => show("matrix"),
    changes: () => show("changes"),
    reset,
    confirm,
  };
  const looking = ["matrix", "changes"]; // what changes nothing

  const board = createBoard(state, {
    texts,
    labels,
    language,
    direction,
    still: disabled,
    on: { join, press, turn, look: () => state.kind, lit: renderLit },
  });
  board.markSame(identical(texts));
  const toolbar = createToolbar(strings.tools, tools());
  const foot = createFoot({ strings, confirm: () => confirm("button"), people: people(given) });
  const plain = texts.map((tokens) =>
    h("p", { class: "sent", lang: language, dir: direction || "auto" }, sentence(tokens)),
  );
  const split = h("div", { class: "split" }, board.element);
  const stage = h(
    "section",
    { class: "stage", "aria-label": strings.stage },
    h("div", { class: "texts" }, plain),
    split,
    foot.element,
  );
  const spoken = h("p", { class: "sr", role: "status" });
  let matrix = null; // made when it is first wanted: a cell for each pair of words
  root.replaceChildren(h("p", { class: "how" }, how()), h("div", { class: "align" }, toolbar.element, stage, spoken));
  document.addEventListener("keydown", chord);
  document.addEventListener("keyschosen", render);
  render();

  // ── changes ──────────────────────────────────────────────────────────────────────────────────────────────────
  function stateOf(value) {
    const links = value ? within(linksOf(value, suggested)) : given.length ? kindsOf(agreed) : suggested;
    return { ...createState(links, suggested), log: [...(value?.log ?? [])] };
  }

  // A draft is kept as it comes; what joins no two words of these sentences cannot be drawn.
  function within(links) {
    return Object.fromEntries(
      Object.entries(links).filter(([pair]) => pair.split("-").every((index, side) => index in texts[side])),
    );
  }

  function kindsOf(links) {
    return Object.fromEntries(Object.entries(links).map(([pair, { kind }]) => [pair, linkOf(pair, kind, suggested)]));
  }

  // Linking again what is linked so already takes it away.
  function join(pairs, via) {
    const already = pairs.every((pair) => state.links[pair]?.kind === state.kind);
    put(pairs, already ? null : state.kind, via);
  }

  // Sure becomes possible, possible goes; what is only proposed, or was removed, comes.
  function press(pair) {
    const link = state.links[pair];
    if (!link) return put([pair], (proposed[pair] ?? suggested[pair]).kind, "tap");
    put([pair], link.kind === "sure" ? "possible" : null, "tap");
  }

  function turn(pairs, via = "tap") {
    const linked = pairs.filter((pair) => state.links[pair]);
    put(linked, linked.some((pair) => state.links[pair].kind === "sure") ? "possible" : "sure", via);
  }

  function setKind(kind, via) {
    const linked = pairsInFocus(false).filter((pair) => state.links[pair]);
    if (linked.length) return put(linked, kind, via);
    state.kind = kind;
    render();
    spoken.textContent = kind === "sure" ? strings.newSure : strings.newPossible;
  }

  // Give pairs a link of this kind, or none.
  function put(pairs, kind, via) {
    if (disabled) return;
    const changes = pairs.map((pair) => [pair, kind && linkOf(pair, kind, suggested)]);
    const changed = change(state, Object.fromEntries(changes));
    report(kind ?? "remove", via, changed, wording.done(changed, kind ? strings[kind] : strings.gone));
  }

  function step(op, take, via) {
    const changed = take(state);
    const now = changed.map((pair) => wording.pair(pair, state)).join("; ");
    report(op, via, changed, `${op === "undo" ? strings.undone : strings.redone} ${now}`);
  }

  function reset(via) {
    const all = Object.keys({ ...state.links, ...suggested });
    const changed = change(state, Object.fromEntries(all.map((pair) => [pair, suggested[pair] ?? null])));
    report("reset", via, changed, strings.isReset);
  }

  function confirm(via) {
    if (!disabled && unconfirmed()) report("confirm", via, [], strings[agreement()], true);
  }

  function report(op, via, pairs, words, deliberate = false) {
    if (!pairs.length && !deliberate) return;
    state.log.push([Math.round(performance.now() - shownAt), op, via, inOrder(pairs)]);
    render();
    onChange({ ...listsOf(state.links), log: [...state.log] }, words);
  }

  // That there is nothing to be done, or nothing to be linked, is to be said.
  function unconfirmed() {
    return !isComplete(state.links, state.log);
  }

  function agreement() {
    if (!Object.keys(state.links).length) return "nothingMatches";
    return given.length ? "rightAsItStands" : "rightAsSuggested";
  }

  // The cell, the link, or the pairs of what is picked up with the word in focus; with `all`, else the word's links.
  function pairsInFocus(all = true) {
    const pair = matrix?.focused() ?? state.lit?.pair;
    if (pair) return [pair];
    const node = state.lit?.node ?? board.focused();
    if (!node) return [];
    const others = [...state.selection[1 - node.side]];
    if (others.length) return node.side ? block(others, [node.index]) : block([node.index], others);
    return all ? board.linksOf(node) : [];
  }

  // ── what is seen ─────────────────────────────────────────────────────────────────────────────────────────────
  function render() {
    const keys = keysOf(KEYS);
    const own = drawn(state.links, state.changes && anySuggested ? suggested : null);
    const links = withProposals(own, proposed);
    toolbar.render((name) => ({ ...toolState(name), key: keys[name] }));
    showMatrix();
    matrix?.draw(links);
    board.draw(links, (node) => wording.node(node, state));
    foot.render({
      changes: new Set(links.map(({ mark }) => mark)),
      ask: unconfirmed() && !disabled && strings[agreement()],
      said: state.log.at(-1)?.[1] === "confirm" && strings[agreement()],
      key: keys.confirm,
    });
  }

  function renderLit() {
    matrix?.light(state);
    const { selection, lit } = state;
    const chosen = selection.every((side) => side.size) && wording.chosen(selection);
    const about = lit?.pair
      ? wording.pairLine(lit.pair, state, proposed)
      : lit?.node
        ? wording.nodeLine(lit.node, state)
        : [];
    foot.say(chosen || [...about, wording.totals(state)]);
  }

  function showMatrix() {
    if (state.matrix) matrix ??= createMatrix(texts, matrixParts());
    if (matrix && !matrix.element.isConnected) split.append(matrix.element);
    if (matrix) matrix.element.hidden = !state.matrix;
  }

  function matrixParts() {
    const press = (pair, via) => join([pair], via);
    const lit = (pair) => board.lightUp(pair && { pair });
    const name = (pair) => wording.pair(pair, state, proposed);
    return { label: strings.matrixLabel, language, direction, act: { press, turn, lit }, name, same: identical(texts) };
  }

  function toolState(name) {
    if (name === "sure" || name === "possible") return { on: state.kind === name, hidden: disabled };
    if (name === "undo" || name === "redo") return { off: !state[name].length, hidden: disabled };
    if (name === "reset") return { off: same(state.links, suggested), hidden: disabled || !anySuggested };
    return { on: state[name], hidden: name === "changes" && !anySuggested };
  }

  function tools() {
    const tool = (name, does, text) => ({ name, does, text, run: actions[name] });
    return [
      {
        label: strings.newLinks,
        tools: [tool("sure", "choice", strings.Sure), tool("possible", "choice", strings.Possible)],
      },
      { tools: [tool("undo", "press", strings.undo), tool("redo", "press", strings.redo)] },
      {
        tools: [
          tool("matrix", "switch", strings.matrix),
          tool("changes", "switch", strings.changes),
          tool("reset", "press", strings.reset),
        ],
      },
    ];
  }

  function show(part) {
    state[part] = !state[part];
    remember(VIEW, { matrix: state.matrix, changes: state.changes });
    render();
  }

  function how() {
    const sure = h("b", { class: "say-most" }, strings.howSure);
    return compose(strings.how, { sure, possible: h("b", { class: "say-least" }, strings.howPossible) });
  }

  // Ctrl+Z and Ctrl+Shift+Z, or with ⌘; keys of that kind are not the page's.
  function chord(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.closest("input, textarea, dialog")) return;
    const key = written(event);
    if (disabled || !["z", "Shift+z"].includes(key)) return;
    event.preventDefault();
    actions[key === "z" ? "undo" : "redo"]("key");
  }

  return {
    heading: () => [strings.ask],

    setValue(next) {
      Object.assign(state, stateOf(next));
      render();
    },

    key(event) {
      const pressed = written(event).replace("Delete", "Backspace");
      const [name] = Object.entries(keysOf(KEYS)).find(([, key]) => key === pressed) ?? [];
      if (!name || (disabled && !looking.includes(name))) return false;
      actions[name]("key");
      return true;
    },

    // Where nobody grades but the page.
    agrees(answer, expected) {
      const both = [linksOf(answer), linksOf(expected)];
      return linkF1(...(content.ignore_identical ? comparable(...both, texts) : both)) >= content.f1;
    },

    complete: (candidate) => Boolean(candidate) && isComplete(linksOf(candidate), candidate.log),

    feedback: (place, { expected, given }) =>
      showFeedback(place, { texts, labels, language, direction, strings, wording, expected, given }),

    destroy() {
      board.destroy();
      document.removeEventListener("keydown", chord);
      document.removeEventListener("keyschosen", render);
      root.replaceChildren();
    },
  };
}

// Something was done; and that nothing matches has been said last. Links that were not drawn here have no log.
function isComplete(links, log) {
  const any = Object.keys(links).length > 0;
  return log ? log.at(-1)?.[1] === "confirm" || (any && log.length > 0) : any;
}
