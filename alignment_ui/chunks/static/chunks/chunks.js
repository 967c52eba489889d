// Interpretable STS: chunks of two sentences, links with types and scores, and marks for unlinked chunks. README.md
// describes the contract. A value is {chunks, links, left, log}, as described in `alignment_ui/chunks/answer.py`.

import { counted, h, same, say } from "../js/annotate/dom.js";
import { keysOf } from "../js/annotate/keymap.js";
import { createPast } from "../js/annotate/past.js";
import { areAcross, languagesOf } from "../pairs/languages.js";
import { createPlainText } from "../pairs/plain.js";
import { choose as pickUp } from "../pairs/selection.js";
import { ends } from "../pairs/state.js";
import { createStick } from "../pairs/stick.js";
import { chosenAt, createActions } from "./actions.js";
import { blockWith } from "./bands.js";
import { createChunker } from "./chunker.js";
import { answerOf, documentOf, keyOf } from "./document.js";
import { showFeedback, showPicture } from "./feedback.js";
import { createFoot } from "./foot.js";
import { createHistory } from "./history.js";
import { KEYS, listenToKeys } from "./keys.js";
import { createLinker } from "./linker.js";
import { createPanel } from "./panel.js";
import { shared as sharedBy } from "./parts.js";
import { createReading } from "./reading.js";
import { FLAGS, LEFT, missing, needs, TYPES } from "./rules.js";
import { f1OfLinks } from "./score.js";
import { createSearch } from "./search.js";
import { createTools } from "./tools.js";
import { createWording } from "./wording.js";

// What only reviewers need is a module of its own, because a page for Mechanical Turk has little room.
export const reviewing = () => import("./review.js");

export function mount(root, { content, value, disabled, given, onChange, strings, language, direction }) {
  const { source, target, many } = content;
  const texts = [source, target];
  const lengths = [source.length, target.length];
  const labels = [strings.first, strings.second];
  const wording = createWording(texts, strings, many);
  const start = documentOf(content);
  const suggested = start.chunks.some((side) => side.length);
  const past = createPast(JSON.stringify(texts));
  const state = { ...stateOf(value), ...(disabled ? null : past.recall(value?.log ?? [])) };
  const languages = languagesOf(content, language);
  const shared = { texts, labels, languages, direction, strings, still: disabled, many };
  let visits = null; // of chunks with offered matches, in studies with offers
  const common = areAcross(languages) ? "" : languages[0];

  const { edit, step, note } = createHistory(state, changed);
  const does = createActions(state, { many, lengths, wording, strings, edit, tell, caret: () => chunker.caret() });
  const named = (names, act) => Object.fromEntries(names.map((name) => [name, (via) => act(name, via)]));
  const actions = {
    ...named(TYPES, does.setType),
    ...named(LEFT, does.setLeft),
    ...named(FLAGS, does.setFlag),
    rest: does.rest,
    offer: () => does.judgeAs(offered(), "offer"),
    confirm,
    join: does.join,
    split: does.cut,
    singles: does.single,
    remove,
    reset: (via) => edit(start, "reset", via, null, strings.saidReset),
    undo: (via) => step("undo", via, strings.undone),
    redo: (via) => step("redo", via, strings.redone),
    steps: () => show(state.step === "links" ? "chunks" : "links"),
    go,
    next: () => (visits ?? search).next(),
    find: () => (state.step === "links" ? search.find() : go()),
  };
  const keys = listenToKeys(actions, { disabled, score: (number) => does.setScore(number, "key"), bound });

  const chunker = createChunker(state, { ...shared, on: { chunk: does.make, join: does.join } });
  const linker = createLinker(state, {
    ...shared,
    on: {
      join: connect,
      move: moved,
      choose,
      scrolled: () => tell(strings.scrolled),
      lit: () => reading.light(state.lit),
    },
  });
  const tools = createTools({ strings, actions, show, disabled, resets: suggested });
  const { press } = keys;
  const search = createSearch(state, { ...shared, many, wording, linker, connect, choose, show, tell, render, press });
  const foot = createFoot({ strings, act: { go, rest: () => left(does.rest), confirm: () => left(confirm), onward } });
  const panel = createPanel({
    ...shared,
    act: {
      type: (name) => judged(() => does.setType(name, "panel")),
      score: (score) => judged(() => does.setScore(score, "panel")),
      flag: (name) => does.setFlag(name, "panel"),
      offer: () => judged(() => does.judgeAs(offered(), "offer")),
      left: (name) => does.setLeft(name, "panel"),
      remove: () => remove("panel"),
      close: () => choose(null),
    },
  });
  const reading = createReading(texts, { languages, direction, lit: (node) => linker.lightUp(node && { node }) });
  const stick = createStick("chunks", h("div", { class: "tools" }, tools.element, search.element), reading.element);
  const parts = [chunker.element, linker.element, foot.element];
  const stage = h("section", { class: "stage", "aria-label": strings.stage }, parts);
  root.replaceChildren(
    createPlainText(texts, shared),
    h("div", { class: "align chunked bench" }, h("div", {}, stick.element, stage), panel.element),
  );
  document.addEventListener("keyschosen", render);
  render();
  if (content.offers && !disabled) load(content.offers);

  async function load(address) {
    const { createVisits } = await import(address).catch((error) => console.warn(error) ?? {});
    const act = { connect, choose, show, tell };
    visits = createVisits?.(state, { ...shared, wording, linker, language: common, act });
    render();
  }

  // ── input ────────────────────────────────────────────────────────────────────────────────────────────────────
  function changed(words) {
    Object.assign(state, { told: "", anchor: null });
    pickUp(state);
    render();
    past.keep(state);
    onChange({ ...answerOf(state.document, many), log: state.log }, words);
    visits?.changed();
  }

  function offered() {
    return state.chosen?.pair && visits?.judgement(state.chosen.pair);
  }

  // The end of the chunk in focus moves by a word. Between linked sentences, whole chunks are joined.
  function bound(forward) {
    const making = state.step === "chunks";
    const at = making ? chunker.caret() : linker.focused();
    if (!at) return;
    const node = making ? at : { side: at.side, index: state.document.chunks[at.side][at.index][0] };
    const to = (forward ? does.grow : does.shrink)(node, "key");
    if (making && to) chunker.focus(to);
  }

  function connect(pairs, via) {
    does.connect(pairs, via);
    render();
    linker.reveal(panel.element);
  }

  // On a phone, the panel covers the sentences, so the panel closes when the link has a type and a score.
  function judged(judge) {
    judge();
    const link = state.document.links[state.chosen?.pair];
    if (link && !needs(link) && linker.isCovered()) choose(null);
  }

  function moved(pair, to) {
    does.moveTo(pair, to, "drag");
    render();
  }

  function remove(via) {
    const pair = linker.focusedPair();
    does.remove(via);
    if (pair && !state.links[pair]) linker.focusNode({ side: 0, index: ends(pair)[0] }); // the label is gone
  }

  // If a button disappears when it is pressed, the focus moves below the sentences.
  function left(act) {
    act("button");
    foot.element.focus();
  }

  // The annotator must confirm that everything is correct, or that nothing matches. A researcher who decides between
  // answers starts from one of them, and confirms it by the decision.
  function confirm(via) {
    const asked = unconfirmed();
    if (asked) note(asked.op, via, null, asked.answer);
  }

  function unconfirmed() {
    const { document, log, step } = state;
    const decided = given && value;
    if (disabled || decided || step !== "links" || missing(document, texts, many).length) return null;
    if (isComplete(document, log)) return null;
    return Object.keys(document.links).length
      ? { op: "reset", so: strings.noneChanged, answer: strings.rightAsIs }
      : { op: "left", so: strings.noneLinked, answer: strings.nothingMatches };
  }

  // ── display ──────────────────────────────────────────────────────────────────────────────────────────────────
  function render() {
    const { document } = state;
    const open = missing(document, texts, many);
    const covered = !open[0]?.token;
    if (!covered && state.step === "links") {
      pickUp(state);
      state.step = "chunks";
    }
    state.links = document.links;
    state.chosen = still(document, state.chosen);
    const linking = state.step === "links";
    const caps = keysOf(KEYS);
    tools.render(state, { covered, changed: !same(document, start), keys: caps });
    chunker.element.hidden = linking;
    linker.element.hidden = reading.element.hidden = !linking;
    reading.draw(document);
    if (linking) linker.draw(document, wording);
    else chunker.draw(document, (node) => wording.token(document, node));
    panel.render({ about: about(document), keys: caps });
    const [n, m] = document.chunks.map((side) => side.length);
    const links = Object.keys(document.links).length;
    foot.render({
      missing: linking || !covered ? wording.missing(document, open) : [],
      done: linking ? counted(strings.allSaid, links) : say(strings.allCovered, { n, m }),
      told: state.told,
      keys: caps,
      rest: linking && !disabled ? open.filter((one) => one.node).length : 0,
      confirm: unconfirmed(),
      onward: !linking && covered,
    });
  }

  function about(document) {
    const { pair, node } = state.chosen ?? {};
    if (state.step === "chunks") return { title: strings.whatChunks, hint: strings.howChunks };
    if (pair) {
      const words = wording.sides(document, blockWith(document.links, pair));
      return { link: document.links[pair], words, offer: offered() };
    }
    if (node)
      return { words: [wording.words(document, node)], side: node.side, mark: document.left[keyOf(node)], many };
    const link = matchMedia("(pointer: coarse)").matches ? strings.howByTouch : strings.howByMouse;
    const hint = [suggested && strings.chunksGiven, link, many ? strings.howLinksMany : strings.howLinks];
    return { title: strings.whatLinks, hint: hint.filter(Boolean).join(" ") };
  }

  function tell(words) {
    state.told = words;
    render();
  }

  function choose(chosen) {
    state.told = "";
    state.chosen = chosen?.node ? chosenAt(state.document, chosen.node, state.chosen) : chosen;
    visits?.check(state.chosen);
    if (chosen?.pair) pickUp(state);
    render();
    if (chosen) linker.reveal(panel.element);
  }

  function show(name) {
    visits?.end();
    Object.assign(state, { step: name, chosen: null, anchor: null, told: "" });
    pickUp(state);
    render();
  }

  function onward() {
    show("links");
    linker.focusNode({ side: 0, index: 0 });
  }

  // The first step that is still missing.
  function go() {
    const [first] = missing(state.document, texts, many);
    if (!first) return;
    show(first.token ? "chunks" : "links");
    if (first.token) chunker.focus(first.token);
    else if (first.node) linker.focusNode(first.node);
    else linker.focusPair(first.pair);
    if (!first.token) choose(first); // also visible after a press, because the browser shows the focus only after a key
  }

  // ── state ────────────────────────────────────────────────────────────────────────────────────────────────────
  // A reviewer's own answer starts from what all annotators share.
  function stateOf(value) {
    const document = value
      ? documentOf(value)
      : given?.length
        ? sharedBy(
            content,
            given.map((each) => each.value),
          )
        : start;
    return {
      document,
      links: document.links, // for the board
      log: [...(value?.log ?? [])],
      undo: [], // {document, words, step}: the previous document, and the change with its step
      redo: [],
      step: missing(document, texts, many)[0]?.token ? "chunks" : "links",
      chosen: null, // the contents of the panel: {pair}, {node}, or both
      told: "", // why something was not done
      selection: [new Set(), new Set()],
      anchor: null,
      lit: null,
    };
  }

  // The annotator has done something. If nothing is linked, the annotator has confirmed this. Expected answers have no
  // log.
  function isComplete(document, log) {
    const silent = many && !Object.keys(document.links).length && log?.at(-1)?.[1] !== "left";
    return !missing(document, texts, many).length && (!log || (log.length > 0 && !silent));
  }

  return {
    heading: () => [strings.ask],

    setValue(next) {
      Object.assign(state, stateOf(next));
      render();
    },

    key: (event) => visits?.press(event) || keys.press(event),

    complete: (candidate) => Boolean(candidate) && isComplete(documentOf(candidate), candidate.log),

    // The missing steps are also shown below the sentences. Here, each step has its position.
    refuse() {
      const [first] = missing(state.document, texts, many);
      if (first) go();
      return first ? wording.refusal(state.document, first) : (unconfirmed()?.so ?? "");
    },

    feedback: (place, { expected, given }) => showFeedback(place, { ...shared, wording, expected, given }),

    // Like the server, compare the F1 of the alignment with the threshold of the study.
    agrees: (given, expected) => f1OfLinks(given, expected, content) >= content.f1,

    destroy() {
      chunker.destroy();
      linker.destroy();
      keys.destroy();
      stick.destroy();
      document.removeEventListener("keyschosen", render);
      root.replaceChildren();
    },
  };
}

/** Draw one answer for researchers. */
export function picture(root, { content, value, strings, language, direction }) {
  const { source, target, many } = content;
  const texts = [source, target];
  const wording = createWording(texts, strings, many);
  showPicture(root, {
    value,
    texts,
    labels: [strings.first, strings.second],
    languages: languagesOf(content, language),
    direction,
    strings,
    wording,
    many,
  });
}

// The selected chunk or link, if it still exists.
function still(document, chosen) {
  if (!chosen) return null;
  const node = chosen.node && document.chunks[chosen.node.side][chosen.node.index] ? chosen.node : null;
  if (document.links[chosen.pair]) return node ? { node, pair: chosen.pair } : { pair: chosen.pair };
  return node ? chosenAt(document, node) : null;
}
