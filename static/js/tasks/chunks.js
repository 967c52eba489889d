// Interpretable STS: chunks of two sentences, links between them with type and score, and why the others have none.
// See README.md for the contract. A value is {chunks, links, left, log}, as `alignment_ui/chunk_answer.py` describes it.

import { digit } from "../annotate/digit.js";
import { h, same, say } from "../annotate/dom.js";
import { keysOf, written } from "../annotate/keymap.js";
import { choose as pickUp } from "./alignment/selection.js";
import { ends } from "./alignment/state.js";
import { createToolbar } from "./alignment/toolbar.js";
import { createChunker } from "./chunks/chunker.js";
import {
  change,
  chunk,
  chunkWith,
  documentOf,
  keyOf,
  leftOver,
  link,
  linksAt,
  mark,
  singles,
  split,
  takeApart,
  unlink,
  valueOf,
} from "./chunks/document.js";
import { showFeedback } from "./chunks/feedback.js";
import { createFoot } from "./chunks/foot.js";
import { createLinker } from "./chunks/linker.js";
import { createPanel } from "./chunks/panel.js";
import { FLAGS, LEFT, TYPES, fits, missing, scoreRule, typed } from "./chunks/rules.js";
import { f1OfLinks } from "./chunks/score.js";
import { createWording } from "./chunks/wording.js";

const KEYS = {
  EQUI: "e",
  OPPO: "o",
  SPE1: "1",
  SPE2: "2",
  SIMI: "s",
  REL: "r",
  NOALI: "n",
  ALIC: "a",
  FACT: "f",
  POL: "l",
  rest: "Shift+n",
  join: "j",
  split: "x",
  singles: "w",
  steps: "c",
  go: "g",
  remove: "Backspace",
  undo: "z",
  redo: "Shift+z",
};

export function mount(root, { content, value, disabled, onChange, strings, language, direction }) {
  const { source, target, many } = content;
  const texts = [source, target];
  const lengths = [source.length, target.length];
  const labels = [strings.first, strings.second];
  const wording = createWording(texts, strings, many);
  const start = documentOf(content);
  const suggested = start.chunks.some((side) => side.length);
  const shownAt = performance.now();
  const state = stateOf(value);
  const shared = { texts, labels, language, direction, strings, still: disabled, many };

  const actions = {
    ...Object.fromEntries(TYPES.map((name) => [name, (via) => setType(name, via)])),
    ...Object.fromEntries(LEFT.map((name) => [name, (via) => setLeft(name, via)])),
    ...Object.fromEntries(FLAGS.map((name) => [name, (via) => setFlag(name, via)])),
    rest,
    join,
    split: cut,
    singles: (via) => editChunks(singles(state.document, lengths), "chunk", via, null, strings.saidSingles),
    steps: () => show(state.step === "links" ? "chunks" : "links"),
    go,
    remove,
    reset: (via) => edit(start, "reset", via, null, strings.saidReset),
    undo: (via) => step("undo", via),
    redo: (via) => step("redo", via),
  };
  const looking = ["steps", "go"]; // what changes nothing

  const chunker = createChunker(state, { ...shared, on: { chunk: make, join } });
  const linker = createLinker(state, { ...shared, on: { join: connect, choose } });
  const toolbar = createToolbar(strings.tools, tools());
  const foot = createFoot({
    strings,
    act: { go, rest: () => rest("button"), confirm, link: onward },
  });
  const panel = createPanel({
    strings,
    language,
    direction,
    still: disabled,
    act: {
      type: (name) => setType(name, "panel"),
      score: (score) => setScore(score, "panel"),
      flag: (name) => setFlag(name, "panel"),
      left: (name) => setLeft(name, "panel"),
      remove: () => remove("panel"),
      close: () => choose(null),
    },
  });
  const plain = texts.map((tokens) => h("p", { class: "sent", lang: language, dir: direction || "auto" }, tokens.join(" ")));
  const reading = h("div", { class: "texts" }, plain);
  const stage = h("section", { class: "stage", "aria-label": strings.stage }, reading, chunker.element, linker.element, foot.element);
  root.replaceChildren(h("div", { class: "align chunked bench" }, h("div", {}, toolbar.element, stage), panel.element));
  document.addEventListener("keydown", chord);
  document.addEventListener("keyschosen", render);
  render();

  // ── chunks ───────────────────────────────────────────────────────────────────────────────────────────────────
  function make(side, tokens, via, op = "chunk") {
    const next = chunk(state.document, side, tokens, many);
    const words = say(strings.saidChunk, { words: wording.tokensInWords(side, [...tokens].sort((a, b) => a - b)) });
    editChunks(next, op, via, [side, tokens], words);
  }

  // Where chunks are made, what is picked up is words; between linked sentences it is chunks.
  function join(via) {
    const side = state.selection.findIndex((chosen) => chosen.size);
    const picked = [...(state.selection[side] ?? [])];
    const tokens = state.step === "chunks" ? picked : picked.flatMap((index) => state.document.chunks[side][index]);
    const alone = state.step === "chunks" ? tokens.every((index) => chunkWith(state.document, { side, index }) >= 0) : true;
    if (!tokens.length || (picked.length < 2 && alone)) return tell(strings.joinWhat);
    make(side, tokens, via, "join");
  }

  function cut(via) {
    const node = state.step === "chunks" ? chunker.caret() : onlyPicked();
    if (!node) return tell(strings.splitWhat);
    const next = (state.step === "chunks" ? split : takeApart)(state.document, node);
    if (next === state.document) return tell(strings.splitOne);
    editChunks(next, "split", via, [node.side, node.index], strings.saidSplit);
  }

  function onlyPicked() {
    const picked = state.selection.flatMap((chosen, side) => [...chosen].map((index) => ({ side, index })));
    return picked.length === 1 ? picked[0] : (state.chosen?.node ?? null);
  }

  // Says what became of links whose chunks are no longer what they were.
  function editChunks(next, op, via, detail, words) {
    const lost = Object.keys(state.document.links).length - Object.keys(next.links).length;
    const chosen = state.chosen?.node && state.document.chunks[state.chosen.node.side][state.chosen.node.index]?.[0];
    state.chosen = chosen === undefined || chosen === null ? null : whole(next, { side: state.chosen.node.side, index: chosen });
    edit(next, op, via, detail, lost > 0 ? `${words} ${strings.linksLost}` : words);
  }

  function whole(document, token) {
    const index = chunkWith(document, token);
    return index < 0 ? null : chosenAt(document, { side: token.side, index });
  }

  // ── links ────────────────────────────────────────────────────────────────────────────────────────────────────
  function connect(pairs, via) {
    if (pairs.length > 1 && !many) return tell(strings.oneEach);
    const fresh = pairs.filter((pair) => !state.document.links[pair]);
    const next = fresh.reduce((made, pair) => link(made, pair, many), state.document);
    const gone = Object.keys(state.document.links).filter((pair) => !next.links[pair]);
    const words = [
      `${fresh.map((pair) => wording.pair(next, pair)).join("; ")}: ${strings.saidLinked}`,
      ...gone.map((pair) => say(strings.saidMoved, { link: wording.pair(next, pair) })),
    ];
    state.chosen = { pair: pairs.at(-1) };
    if (fresh.length) edit(next, "link", via, fresh.length > 1 ? fresh.map(ends) : ends(fresh[0]), words.join(" "));
    else render();
    linker.reveal(panel.element);
  }

  function setType(type, via) {
    judge("type", via, (before) => typed(before, type), type);
  }

  function setScore(score, via) {
    const type = state.document.links[state.chosen?.pair]?.type;
    if (state.chosen?.pair && !fits(type, score)) return tell(strings[scoreRule(type)]);
    judge("score", via, () => ({ score }), score);
  }

  function setFlag(flag, via) {
    judge("flag", via, ({ flags }) => ({ flags: FLAGS.filter((each) => flags.includes(each) !== (each === flag)) }), flag);
  }

  function judge(op, via, of, what) {
    const pair = state.chosen?.pair;
    if (!pair) return tell(state.chosen ? strings.linkFirst : strings.chooseFirst);
    const next = change(state.document, pair, of(state.document.links[pair]));
    edit(next, op, via, [...ends(pair), what], `${wording.pair(next, pair)}: ${wording.judgement(next.links[pair])}`);
  }

  function remove(via) {
    const { pair, node } = state.chosen ?? {};
    if (pair) {
      if (linker.focusedPair() === pair) linker.focusNode({ side: 0, index: ends(pair)[0] });
      state.chosen = node ? { node } : null;
      edit(unlink(state.document, [pair]), "unlink", via, ends(pair), `${wording.pair(state.document, pair)}: ${strings.saidUnlinked}`);
    } else if (node && state.document.left[keyOf(node)]) {
      edit(mark(state.document, [node], null), "left", via, [node.side, node.index, null], wording.words(state.document, node));
    }
  }

  // ── what is left over ────────────────────────────────────────────────────────────────────────────────────────
  function setLeft(type, via) {
    if (many) return tell(strings.looseMany);
    if (state.step === "chunks") return tell(strings.chooseFirst);
    const picked = state.selection.flatMap((chosen, side) => [...chosen].map((index) => ({ side, index })));
    const nodes = picked.length || !state.chosen?.node ? picked : [state.chosen.node];
    if (!nodes.length || nodes.some((node) => linksAt(state.document, node).length)) {
      return tell(nodes.length || state.chosen ? strings.linkedAlready : strings.chooseFirst);
    }
    leave(nodes, type, via);
  }

  function rest(via) {
    const nodes = leftOver(state.document).filter((node) => !state.document.left[keyOf(node)]);
    if (nodes.length && !many && state.step === "links") leave(nodes, "NOALI", via);
    if (via === "button") foot.element.focus(); // the button is gone
  }

  function leave(nodes, type, via) {
    const detail = nodes.map(({ side, index }) => [side, index, type]);
    const words = `${nodes.map((node) => wording.words(state.document, node)).join("; ")}: ${type}`;
    edit(mark(state.document, nodes, type), "left", via, detail.length > 1 ? detail : detail[0], words);
  }

  // ── every change ─────────────────────────────────────────────────────────────────────────────────────────────
  function edit(next, op, via, detail, words) {
    if (disabled || same(next, state.document)) return render();
    state.undo.push({ document: state.document, words });
    state.redo = [];
    state.document = next;
    report(op, via, detail, words);
  }

  function step(op, via) {
    const [from, to] = op === "undo" ? [state.undo, state.redo] : [state.redo, state.undo];
    const last = from.pop();
    if (!last || disabled) return;
    to.push({ document: state.document, words: last.words });
    state.document = last.document;
    report(op, via, null, `${op === "undo" ? strings.undone : strings.redone} ${last.words}`);
  }

  // That all is right as it stands, or that nothing matches, is to be said.
  function confirm() {
    report(Object.keys(state.document.links).length ? "reset" : "left", "button", null, asked());
    foot.element.focus();
  }

  function report(op, via, detail, words) {
    state.log.push([Math.round(performance.now() - shownAt), op, via, detail]);
    state.told = "";
    pickUp(state);
    render();
    onChange({ ...valueOf(state.document, many), log: state.log }, words);
  }

  function tell(words) {
    state.told = words;
    render();
  }

  // ── what is seen ─────────────────────────────────────────────────────────────────────────────────────────────
  function render() {
    const { document, step: before } = state;
    const open = missing(document, lengths, many);
    if (open[0]?.token) state.step = "chunks";
    state.links = document.links;
    if (before !== state.step) pickUp(state);
    state.chosen = still(document, state.chosen);
    const linking = state.step === "links";
    const keys = keysOf(KEYS);
    toolbar.render((name) => ({ ...toolState(name), key: keys[name === "unlink" ? "remove" : name] }));
    chunker.element.hidden = linking;
    linker.element.hidden = !linking;
    reading.hidden = !linking;
    if (linking) linker.draw(document, { node: (node) => wording.node(document, node), pair: (pair) => [wording.pair(document, pair), ...document.links[pair].flags].join(", ") });
    else chunker.draw(document, (node) => wording.token(document, node));
    panel.render({ about: about(document), keys });
    const [n, m] = document.chunks.map((side) => side.length);
    const done = linking ? say(strings.allSaid, { n: Object.keys(document.links).length }) : say(strings.allCovered, { n, m });
    foot.render({
      missing: linking || open[0]?.token ? wording.missing(document, open) : [],
      done,
      tell: state.told,
      keys,
      rest: linking && !disabled && open.filter((one) => one.node).length > 1,
      confirm: linking && !disabled && !open.length && !isComplete(document, state.log) && asked(),
      onward: !linking && !open[0]?.token,
    });
  }

  function about(document) {
    const { pair, node } = state.chosen ?? {};
    if (state.step === "chunks") return { title: strings.whatChunks, hint: strings.howChunks };
    if (pair) return { link: document.links[pair], words: ends(pair).map((index, side) => wording.words(document, { side, index })) };
    if (node) return { words: [wording.words(document, node)], mark: document.left[keyOf(node)], many };
    return { title: strings.whatLinks, hint: many ? strings.howLinksMany : strings.howLinks };
  }

  function asked() {
    return Object.keys(state.document.links).length ? strings.rightAsIs : strings.nothingMatches;
  }

  function choose(chosen) {
    state.told = "";
    state.chosen = chosen?.node ? chosenAt(state.document, chosen.node, state.chosen) : chosen;
    if (chosen?.pair) pickUp(state);
    render();
    if (chosen) linker.reveal(panel.element);
  }

  function show(name) {
    state.step = name;
    state.chosen = null;
    pickUp(state);
    render();
  }

  function onward() {
    show("links");
    linker.focusNode({ side: 0, index: 0 });
  }

  // The first of what is still to be done.
  function go() {
    const [first] = missing(state.document, lengths, many);
    if (!first) return;
    show(first.token ? "chunks" : "links");
    if (first.token) chunker.focus(first.token);
    else if (first.node) linker.focusNode(first.node);
    else {
      choose(first);
      linker.focusPair(first.pair);
    }
  }

  function toolState(name) {
    const linking = state.step === "links";
    if (name === "chunks" || name === "links") return { on: state.step === name, off: name === "links" && missing(state.document, lengths, true)[0]?.token };
    if (name === "undo" || name === "redo") return { off: !state[name].length, hidden: disabled };
    if (name === "unlink") return { off: !state.chosen?.pair, hidden: disabled || !linking };
    if (name === "singles") return { off: !missing(state.document, lengths, true)[0]?.token, hidden: disabled || linking };
    if (name === "reset") return { off: same(state.document, start), hidden: disabled || !suggested };
    return { hidden: disabled };
  }

  function tools() {
    const tool = (name, text, does = "press", run = actions[name]) => ({ name, does, text, run });
    return [
      { label: strings.step, tools: [tool("chunks", strings.chunks, "choice", () => show("chunks")), tool("links", strings.links, "choice", () => show("links"))] },
      { tools: [tool("undo", strings.undo), tool("redo", strings.redo)] },
      { tools: [tool("join", strings.join), tool("split", strings.split), tool("singles", strings.singles)] },
      { tools: [tool("unlink", strings.unlink, "press", actions.remove), tool("reset", strings.reset)] },
    ];
  }

  // Ctrl+Z and Ctrl+Shift+Z, or with ⌘; keys of that kind are not the page's.
  function chord(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.closest("textarea, dialog")) return;
    const key = written(event);
    if (disabled || !["z", "Shift+z"].includes(key)) return;
    event.preventDefault();
    step(key === "z" ? "undo" : "redo", "key");
  }

  function stateOf(given) {
    const document = given ? documentOf(given) : start;
    const covered = !missing(document, lengths, true)[0]?.token;
    return {
      document,
      links: document.links, // for the board
      log: [...(given?.log ?? [])],
      undo: [], // {document, words}: what was before, and what was then done
      redo: [],
      step: covered ? "links" : "chunks",
      chosen: null, // what the panel is about: {pair}, {node}, or both
      told: "", // why something was not done
      selection: [new Set(), new Set()],
      anchor: null,
      lit: null,
    };
  }

  // Something was done; and where nothing at all is linked, that has been said.
  function isComplete(document, log) {
    const silent = many && !Object.keys(document.links).length && log.at(-1)?.[1] !== "left";
    return log.length > 0 && !silent && !missing(document, lengths, many).length;
  }

  return {
    heading: () => [strings.ask],

    setValue(next) {
      Object.assign(state, stateOf(next));
      render();
    },

    key(event) {
      const number = digit(event);
      if (number !== null && event.shiftKey && number <= 5) {
        if (!disabled) setScore(number, "key");
        return true;
      }
      const pressed = number === null ? written(event).replace("Delete", "Backspace") : `${number}`;
      const [name] = Object.entries(keysOf(KEYS)).find(([, key]) => key === pressed) ?? [];
      if (!name || (disabled && !looking.includes(name))) return false;
      actions[name]("key");
      return true;
    },

    complete: (candidate) => Boolean(candidate) && isComplete(documentOf(candidate), candidate.log ?? []),

    feedback: (place, { expected, given }) => showFeedback(place, { ...shared, wording, expected, given }),

    // As the server grades it: F1 of the alignment against the study's threshold.
    agrees: (given, expected) => f1OfLinks(given, expected, content) >= content.f1,

    destroy() {
      chunker.destroy();
      linker.destroy();
      document.removeEventListener("keydown", chord);
      document.removeEventListener("keyschosen", render);
      root.replaceChildren();
    },
  };
}

// A chunk as it is chosen: with its link, the one that is chosen already if that is one of them.
function chosenAt(document, node, before = null) {
  const pairs = linksAt(document, node);
  const pair = pairs.includes(before?.pair) ? before.pair : pairs[0];
  return pair ? { node, pair } : { node };
}

// What is chosen, if it is still there.
function still(document, chosen) {
  if (!chosen) return null;
  const node = chosen.node && document.chunks[chosen.node.side][chosen.node.index] ? chosen.node : null;
  if (document.links[chosen.pair]) return node ? { node, pair: chosen.pair } : { pair: chosen.pair };
  return node ? chosenAt(document, node) : null;
}
