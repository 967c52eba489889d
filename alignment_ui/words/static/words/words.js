// Word alignment: links between the words of two sentences, sure or possible. See README.md for the contract.
// A value is {sure, possible, log}: lists of [i, j], and what was done, as [ms since shown, op, via, pairs].

import { compose, h, same } from "../js/annotate/dom.js";
import { capOf, keysOf } from "../js/annotate/keymap.js";
import { createPast } from "../js/annotate/past.js";
import { recall, remember } from "../js/annotate/storage.js";
import { withBlocks } from "../pairs/blocks.js";
import { createBoard } from "../pairs/board.js";
import { showFeedback } from "../pairs/feedback.js";
import { createFoot } from "../pairs/foot.js";
import { comparable, linkF1 } from "../pairs/grading.js";
import { drawn, linksOf, listsOf } from "../pairs/kinds.js";
import { areAcross, languagesOf } from "../pairs/languages.js";
import { createLater } from "../pairs/later.js";
import { createLinkBar } from "../pairs/linkbar.js";
import { createMatrix } from "../pairs/matrix.js";
import { createPicture } from "../pairs/picture.js";
import { createPlainText } from "../pairs/plain.js";
import { proposalsOf, withProposals } from "../pairs/proposals.js";
import { choose } from "../pairs/selection.js";
import { block, ends } from "../pairs/state.js";
import { createStick } from "../pairs/stick.js";
import { createWording, identical } from "../pairs/wording.js";
import { isComplete, readState } from "./answer.js";
import { createEdits } from "./edits.js";
import { KEYS, listenToKeys } from "./keys.js";
import { createLetters } from "./letters.js";
import { createLine } from "./line.js";
import { chancesOf } from "./matches.js";
import { createSearch } from "./search.js";
import { createSentences } from "./sentences.js";
import { createTools } from "./tools.js";
import { createVisits } from "./visits.js";

export { compare } from "./compare.js";
export { parts, withPart } from "./parts.js";

const SIDES = [0, 1];
const VIEW = "accord:words"; // {matrix, changes}: what is shown, from one question to the next

export function mount(root, { content, value, disabled, given = [], onChange, strings, language, direction }) {
  const texts = [content.source, content.target];
  const labels = [strings.first, strings.second];
  const languages = languagesOf(content, language);
  const across = areAcross(languages);
  const wording = createWording(texts, strings);
  const suggested = linksOf(content.prealignment);
  const { agreed, proposed } = proposalsOf(given);
  const anySuggested = Object.keys(suggested).length > 0;
  const past = createPast(JSON.stringify(texts));
  const state = { ...stateOf(value), kind: "sure", matrix: false, changes: false, ...recall(VIEW) };
  if (!disabled) Object.assign(state, past.recall(value?.log ?? []));
  const place = disabled ? null : past.place();
  const edits = createEdits(state, { suggested, proposed, wording, strings, changed });
  const actions = {
    sure: (via) => setKind("sure", via),
    possible: (via) => setKind("possible", via),
    turn: (via) => edits.turn(pairsInFocus(), via),
    remove: (via) => edits.put(pairsInFocus(), null, via),
    undo: (via) => edits.step("undo", via),
    redo: (via) => edits.step("redo", via),
    matrix: () => show("matrix"),
    changes: () => show("changes"),
    reset: (via) => edits.reset(via),
    confirm,
    next: () => visits.next(),
    find: () => search.find(),
    letters: () => letters.start(),
    along: () => matrix?.along(),
  };
  const keys = listenToKeys(actions, { disabled, close: closeBar });

  const board = createBoard(state, {
    texts,
    labels,
    languages,
    direction,
    still: disabled,
    on: {
      join,
      press,
      turn: (pairs) => edits.turn(pairs, "tap"),
      move,
      letGo,
      scrolled,
      look: kindFor,
      lit: renderLit,
    },
  });
  const alike = identical(texts);
  board.markSame(alike);
  const bar = createLinkBar(strings, { put: (kind) => putSelected(kind) });
  board.element.append(bar.element);
  const sentences = createSentences(texts, {
    languages,
    direction,
    act: {
      hover: (node) => board.lightUp(node && { node }),
      tap: (node, event) => !disabled && board.tap(node, event),
    },
  });
  const spoken = h("p", { class: "sr", role: "status" });
  const act = { show: board.light, tell: (words) => (spoken.textContent = words) };
  const visits = createVisits(state, {
    texts,
    strings,
    board,
    offers: content.offers && !disabled,
    chances: content.offers ? chancesOf(content.prealignment) : new Map(),
    act: {
      ...act,
      join: (pairs, possible) => join(pairs, "offer", possible),
      move: (pair, to, possible) => edits.move(pair, to, "offer", possible ? "possible" : undefined),
      remove: (pair) => edits.put([pair], null, "offer"),
    },
  });
  const search = createSearch(state, {
    texts,
    strings,
    board,
    visits,
    act: { ...act, join: (pairs) => join(pairs, "key"), press: keys.press },
  });
  const letters = createLetters(state, {
    texts,
    strings,
    board,
    visits,
    act: {
      ...act,
      join: (pairs) => join(pairs, "key"),
      put: (pairs, kind) => edits.put(pairs, kind, "key"),
      turn: () => setKind(state.kind === "sure" ? "possible" : "sure"),
      undo: () => edits.step("undo", "key"),
    },
  });
  const tools = createTools({ strings, actions, disabled, resets: anySuggested });
  const line = createLine(state, { wording, proposed, board });
  const header = h("div", { class: "tools" }, tools.element, visits.element, line.element);
  const stick = createStick("words", header, search.element, sentences.element);
  const foot = createFoot({
    strings,
    confirm: () => confirm("button"),
    identical: alike.length,
  });
  const split = h("div", { class: "split" }, board.element);
  const stage = h("section", { class: "stage", "aria-label": strings.stage }, split, foot.element);
  let loose = null; // the words without a link, of both sentences, or null after a change
  let marks = new Set(); // of the drawn links
  let totals = ""; // the numbers of links and of changes, in words
  let instead = null; // a sentence in the line above the sentences, in place of the alignment
  const around = createLater(renderAround);
  let matrix = null; // made when it is first wanted: a cell for each pair of words
  root.replaceChildren(
    h("p", { class: "how" }, how()),
    createPlainText(texts, { labels, languages, direction }),
    h("div", { class: "align words" }, stick.element, stage, spoken),
  );
  document.addEventListener("keyschosen", render);
  render();
  if (place) returnTo(place);
  around.now();

  // ── changes ──────────────────────────────────────────────────────────────────────────────────────────────────
  function stateOf(value) {
    return readState(value, { texts, suggested, agreed: given.length ? agreed : null });
  }

  // Select the words again that were selected before the page was closed.
  function returnTo([firsts, seconds]) {
    choose(state, firsts, seconds);
    const side = firsts.length ? 0 : 1;
    state.anchor = [firsts, seconds][side].length ? { side, index: [firsts, seconds][side][0] } : null;
    board.light();
  }

  // With Shift held, the link is possible.
  function kindFor(possible) {
    return possible ? "possible" : state.kind;
  }

  function join(pairs, via, possible = false) {
    if (disabled) return;
    state.selected = [];
    edits.join(pairs, kindFor(possible), via);
  }

  // An existing link is selected, and a proposed or removed link is drawn.
  function press(pair, point, pairs) {
    if (!state.links[pair]) return edits.add(pair, "tap");
    state.selected = pairs;
    state.selection = SIDES.map(() => new Set());
    board.light();
    bar.place(point, line.element.getBoundingClientRect().bottom);
  }

  function letGo() {
    state.selected = [];
    renderBar();
  }

  function scrolled() {
    instead = strings.scrolled;
    spoken.textContent = instead;
    around.ask();
  }

  function putSelected(kind) {
    edits.put(state.selected, kind, "button");
  }

  function move(pair, to) {
    state.selected = [];
    edits.move(pair, to, "drag");
  }

  function setKind(kind, via) {
    const linked = pairsInFocus(false).filter((pair) => state.links[pair]);
    if (linked.length) return edits.put(linked, kind, via);
    state.kind = kind;
    loose = null;
    around.ask();
    spoken.textContent = kind === "sure" ? strings.newSure : strings.newPossible;
  }

  function confirm(via) {
    if (!disabled && unconfirmed()) edits.confirm(via, strings[agreement()]);
  }

  function changed(words) {
    state.selected = state.selected.filter((pair) => state.links[pair]);
    past.keep(state);
    visits.end();
    render();
    onChange({ ...listsOf(state.links), log: [...state.log] }, words);
  }

  // The annotator must confirm that no change is needed, or that no words match.
  function unconfirmed() {
    return !isComplete(state.links, state.log);
  }

  function agreement() {
    if (!Object.keys(state.links).length) return "nothingMatches";
    return given.length ? "rightAsItStands" : "rightAsSuggested";
  }

  // What is selected, the cell, the link or block, or the pairs of what is picked up with the word in focus; with `all`, else the word's links.
  function pairsInFocus(all = true) {
    if (state.selected.length) return state.selected;
    const cell = matrix?.focused();
    if (cell) return [cell];
    if (state.lit?.pair) return board.blockOf(state.lit.pair);
    const node = state.lit?.node ?? board.focused();
    if (!node) return [];
    const others = [...state.selection[1 - node.side]];
    if (others.length) return node.side ? block(others, [node.index]) : block([node.index], others);
    return all ? board.linksOf(node) : [];
  }

  // ── what is seen ─────────────────────────────────────────────────────────────────────────────────────────────
  function render() {
    loose = null;
    const own = drawn(state.links, state.changes && anySuggested ? suggested : null);
    const links = withProposals(own, proposed);
    marks = new Set(links.map(({ mark }) => mark));
    showMatrix();
    if (state.matrix) matrix?.draw(links);
    board.draw(withBlocks(links), wording.nodes(state));
  }

  function renderLit() {
    visits.check();
    if (state.matrix) matrix?.light(state);
    renderBar();
    instead = letters.render();
    if (loose) around.now();
    else around.ask();
  }

  // What surrounds the board follows a change of the links in the next frame.
  function renderAround() {
    if (!loose) renderChange();
    sentences.mark({ ...board.marks(), loose });
    if (!disabled) past.stay(state.selection.map((side) => [...side]));
    line.render(totals, instead);
  }

  // What depends on the links, but not on the selection.
  function renderChange() {
    const caps = keysOf(KEYS);
    const linked = SIDES.map((side) => new Set(Object.keys(state.links).map((pair) => ends(pair)[side])));
    loose = SIDES.map((side) => new Set(texts[side].map((_, index) => index).filter((n) => !linked[side].has(n))));
    totals = wording.totals(state, loose[0].size + loose[1].size);
    tools.render(state, { changed: !same(state.links, suggested), keys: caps });
    foot.render({
      changes: marks,
      ask: unconfirmed() && !disabled && strings[agreement()],
      said: state.log.at(-1)?.[1] === "confirm" && strings[agreement()],
      key: caps.confirm,
    });
  }

  function renderBar() {
    const { selected } = state;
    const kind = selected.length ? state.links[selected[0]]?.kind : null;
    bar.render(kind && { words: wording.pairs(selected), kind });
  }

  function showMatrix() {
    if (state.matrix) matrix ??= createMatrix(texts, matrixParts());
    if (matrix && !matrix.element.isConnected) split.append(matrix.element);
    if (matrix) matrix.element.hidden = !state.matrix;
    split.classList.toggle("halved", state.matrix);
  }

  function matrixParts() {
    const press = join;
    const lit = (pair) => board.lightUp(pair && { pair });
    const name = (pair) => wording.pair(pair, state, proposed);
    const turn = (pairs) => edits.turn(pairs, "tap");
    return { label: strings.matrixLabel, languages, direction, act: { press, turn, lit }, name, same: alike };
  }

  function show(part) {
    state[part] = !state[part];
    remember(VIEW, { matrix: state.matrix, changes: state.changes });
    render();
  }

  function how() {
    const key = h("kbd", {}, capOf(keysOf(KEYS).letters));
    const link = matchMedia("(pointer: coarse)").matches ? strings.howByTouch : compose(strings.howByMouse, { key });
    const sure = h("b", { class: "say-most" }, strings.howSure);
    const kinds = compose(across ? strings.howAcross : strings.how, {
      sure,
      possible: h("b", { class: "say-least" }, strings.howPossible),
    });
    return [link, h("span", { class: "more" }, " ", kinds)];
  }

  // Close the bar of a link.
  function closeBar() {
    if (!state.selected.length) return;
    letGo();
    board.light();
  }

  return {
    heading: () => [across ? strings.askAcross : strings.ask],

    setValue(next) {
      Object.assign(state, stateOf(next), past.recall(next?.log ?? []));
      render();
      around.now();
    },

    key: (event) => visits.press(event) || keys.press(event),

    // On a page without a server, the page grades the answer.
    agrees(answer, expected) {
      const both = [linksOf(answer), linksOf(expected)];
      return linkF1(...(content.ignore_identical ? comparable(...both, texts) : both)) >= content.f1;
    },

    complete: (candidate) => Boolean(candidate) && isComplete(linksOf(candidate), candidate.log),

    // On a phone, the button that confirms the links can be far below.
    refuse() {
      foot.element.scrollIntoView({ block: "center" });
      return strings[Object.keys(state.links).length ? "noneChanged" : "noneLinked"];
    },

    feedback(place, { expected, given }) {
      const compared = content.ignore_identical && ((own, right) => comparable(own, right, texts));
      return showFeedback(place, { texts, labels, languages, direction, strings, wording, expected, given, compared });
    },

    destroy() {
      around.cancel();
      board.destroy();
      stick.destroy();
      keys.destroy();
      if (!disabled) past.leave();
      document.removeEventListener("keyschosen", render);
      root.replaceChildren();
    },
  };
}

/** Draw one answer for researchers. */
export function picture(root, { content, value, strings, language, direction }) {
  const texts = [content.source, content.target];
  const labels = [strings.first, strings.second];
  const wording = createWording(texts, strings);
  const still = createPicture(value, { texts, labels, languages: languagesOf(content, language), direction, wording });
  root.replaceChildren(h("div", { class: "align words" }, still));
}
