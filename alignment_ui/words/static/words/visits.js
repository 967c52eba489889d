// One word after the other, with its likely matches: first the words that the aligner is least sure about, if it has
// given probabilities, then all words without a link or with a doubtful initial link. One key or press chooses a match
// and goes on.

import { digit } from "../js/annotate/digit.js";
import { compose, h } from "../js/annotate/dom.js";
import { choose } from "../pairs/selection.js";
import { ends, sameNode, touches } from "../pairs/state.js";
import { isDoubtful, likely, pairOf } from "./matches.js";

const SIDES = [0, 1];
const OFFERED = 3;
const IN_DOUBT = 0.1; // the least probability that the aligner is wrong about a word, for a visit before the others

export function isOpen({ links }, node) {
  return !Object.keys(links).some((pair) => touches(pair, node));
}

export function openAfter(state, texts, from) {
  return nodesAfter(texts, from).find((node) => isOpen(state, node)) ?? null;
}

function nodesAfter(texts, from) {
  const nodes = SIDES.flatMap((side) => texts[side].map((_, index) => ({ side, index })));
  return nodes.slice(from ? nodes.findIndex((node) => sameNode(node, from)) + 1 : 0);
}

// offers: whether likely matches are offered, and doubtful links visited; chances: the aligner's probabilities by pair.
// act: join(pairs, possible), move(pair, to, possible), remove(pair), show(), tell(sentence)
export function createVisits(state, { texts, strings, board, offers, chances, act }) {
  const element = h("div", { class: "offers", hidden: true });
  const seen = new Set(); // doubtful links that were visited
  const tried = new Set(); // words without a link, by side and index, that were visited because the aligner doubts them
  const others = new Map([...chances].filter(([pair]) => !state.suggested[pair]));
  let inOrder = !chances.size; // whether the doubted words have been visited, and the others follow
  let last = null; // the word that was visited last
  let visit = null; // {node, pair, matches}: the word, its doubtful link or null, and what is offered
  board.element.addEventListener("keydown", leave);

  function next() {
    const from = board.focused() ?? last;
    const node = inOrder ? (stopAfter(from) ?? stopAfter(null) ?? anyOpen()) : mostDoubted();
    if (node) return go(node);
    if (inOrder) return act.tell(strings.noneOpen);
    inOrder = true;
    if (!last) return next();
    choose(state);
    end();
    stop(strings.lastDoubtful);
  }

  // A digit chooses the offered match with this number, or 0 that there is none. With Shift, the link is possible.
  function press(event) {
    const number = visit && digit(event);
    if (number === null || number > visit.matches.length) return false;
    take(number, event.shiftKey);
    return true;
  }

  // Enter ends the visits first, because people who press it after a digit do not mean the next question.
  function leave(event) {
    if (event.key !== "Enter" || !visit) return;
    event.preventDefault();
    choose(state);
    end();
    act.show();
  }

  function take(number, possible = false) {
    const { node, pair, matches } = visit;
    const match = number ? pairOf(node, matches[number - 1]) : null;
    choose(state);
    end();
    if (match && pair) act.move(pair, match, possible);
    else if (match) act.join([match], possible);
    else if (pair) act.remove(pair);
    if (goOn(node)) return;
    const isLastDoubtful = !inOrder;
    inOrder = true;
    stop(!openAfter(state, texts, null) ? strings.noneOpen : strings[isLastDoubtful ? "lastDoubtful" : "lastVisited"]);
  }

  function stop(words) {
    act.show();
    act.tell(words);
  }

  // Return whether another word follows.
  function goOn(node) {
    const following = inOrder ? stopAfter(node) : mostDoubted();
    if (following) go(following);
    return Boolean(following);
  }

  function go(node) {
    const pair = doubtOf(node);
    if (pair) seen.add(pair);
    else if (!inOrder) tried.add(nameOf(node));
    last = node;
    const matches = offers ? likely(node, Object.keys(state.links), texts, others).slice(0, OFFERED) : [];
    visit = offers ? { node, pair, matches } : null;
    pickUp(node);
    board.focus(node);
    if (visit) offer();
  }

  function offer() {
    const { node, pair, matches } = visit;
    const other = { side: 1 - node.side };
    const word = h("bdi", {}, texts[node.side][node.index]);
    const mate = pair && h("bdi", {}, texts[other.side][ends(pair)[other.side]]);
    const about = mate ? compose(strings.offerInstead, { word, mate }) : compose(strings.offer, { word });
    const choices = matches.map((index, at) => button(at + 1, h("bdi", {}, texts[other.side][index])));
    element.replaceChildren(h("span", {}, about), ...choices, button(0, strings.offerNone));
    element.hidden = false;
    const said = matches.map((index, at) => `${at + 1} ${texts[other.side][index]}`);
    act.tell(said.join(", "));
    board.number(matches.map((index, at) => [{ ...other, index }, at + 1]));
  }

  function button(number, text) {
    const press = ({ shiftKey }) => take(number, shiftKey);
    return h("button", { class: "b b-small", type: "button", onclick: press }, h("kbd", {}, String(number)), " ", text);
  }

  // Select the word for the keys of the board, with which the annotator can also link it.
  function pickUp(node) {
    choose(state, ...SIDES.map((side) => (side === node.side ? [node.index] : [])));
    state.anchor = node;
    act.show();
  }

  // The offers end when another word is selected.
  function check() {
    if (!visit) return;
    const { side, index } = visit.node;
    if (state.selection[1 - side].size || state.selection[side].size !== 1 || !state.selection[side].has(index)) end();
  }

  function end() {
    if (!visit) return;
    visit = null;
    element.hidden = true;
    act.tell("");
    board.number([]);
  }

  function stopAfter(from) {
    const isStop = (node) => (isOpen(state, node) && !tried.has(nameOf(node))) || doubtOf(node);
    return nodesAfter(texts, from).find(isStop) ?? null;
  }

  // All words have been visited, so the visits begin again.
  function anyOpen() {
    tried.clear();
    return openAfter(state, texts, null);
  }

  // The word that the aligner is least sure about. Of the two words of a link, the one with the likelier other match.
  function mostDoubted() {
    const among = nodesAfter(texts, null).filter((node) => doubtOf(node) || isOpen(state, node));
    const doubts = among
      .filter((node) => !tried.has(nameOf(node)))
      .map((node) => ({ node, doubt: doubt(node), chance: bestChance(node) }))
      .filter(({ doubt }) => doubt >= IN_DOUBT);
    return doubts.sort((a, b) => b.doubt - a.doubt || b.chance - a.chance)[0]?.node ?? null;
  }

  function doubt(node) {
    const pair = doubtOf(node);
    return pair ? 1 - chances.get(pair) : bestChance(node);
  }

  function bestChance(node) {
    const [best] = likely(node, Object.keys(state.links), texts, others);
    return others.get(pairOf(node, best)) ?? 0;
  }

  // A link of the word that is still as suggested, although the aligner is not sure about it, or, without probabilities,
  // a link of a word of the first sentence although others seem likelier.
  function doubtOf(node) {
    if (!offers || (node.side && !chances.size)) return null;
    const pairs = Object.keys(state.links);
    const asSuggested = pairs.filter(
      (pair) => state.links[pair].origin === "suggested" && touches(pair, node) && !seen.has(pair),
    );
    const isIn = (pair) => (chances.size ? chances.get(pair) <= 1 - IN_DOUBT : isDoubtful(pair, pairs, texts));
    return asSuggested.find(isIn) ?? null;
  }

  const isAt = (node) => visit !== null && sameNode(visit.node, node);
  return { element, next, press, check, end, goOn, isAt, pickUp, last: () => last };
}

function nameOf({ side, index }) {
  return `${side}:${index}`;
}
