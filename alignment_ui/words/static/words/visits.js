// One word after the other: the next word without a link or with a doubtful initial link, and its likely matches. One
// key or press chooses a match and goes on.

import { digit } from "../js/annotate/digit.js";
import { compose, h } from "../js/annotate/dom.js";
import { choose } from "../pairs/selection.js";
import { ends, sameNode, touches } from "../pairs/state.js";
import { isDoubtful, likely } from "./matches.js";

const SIDES = [0, 1];
const OFFERED = 3;

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

// offers: whether likely matches are offered, and doubtful links visited. act: join(pairs, possible), move(pair, to,
// possible), remove(pair), show(), tell(sentence)
export function createVisits(state, { texts, strings, board, offers, act }) {
  const element = h("div", { class: "offers", hidden: true });
  const seen = new Set(); // doubtful links that were visited
  let last = null; // the word that was visited last
  let visit = null; // {node, pair, matches}: the word, its doubtful link or null, and what is offered
  board.element.addEventListener("keydown", leave);

  function next() {
    const from = board.focused() ?? last;
    const node = stopAfter(from) ?? stopAfter(null);
    if (!node) return act.tell(strings.noneOpen);
    go(node);
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
    act.show();
    act.tell(openAfter(state, texts, null) ? strings.lastVisited : strings.noneOpen);
  }

  // Return whether another word follows.
  function goOn(node) {
    const following = stopAfter(node);
    if (following) go(following);
    return Boolean(following);
  }

  function go(node) {
    const pair = doubtOf(node);
    if (pair) seen.add(pair);
    last = node;
    visit = offers ? { node, pair, matches: likely(node, Object.keys(state.links), texts).slice(0, OFFERED) } : null;
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
    return nodesAfter(texts, from).find((node) => isOpen(state, node) || doubtOf(node)) ?? null;
  }

  // A link of a word of the first sentence that is still as suggested, although others seem likelier.
  function doubtOf(node) {
    if (!offers || node.side) return null;
    const pairs = Object.keys(state.links);
    const asSuggested = (pair) => state.links[pair].origin === "suggested" && touches(pair, node) && !seen.has(pair);
    return pairs.find((pair) => asSuggested(pair) && isDoubtful(pair, pairs, texts)) ?? null;
  }

  const isAt = (node) => visit !== null && sameNode(visit.node, node);
  return { element, next, press, check, end, goOn, isAt, pickUp, last: () => last };
}

function pairOf({ side, index }, match) {
  return side ? `${match}-${index}` : `${index}-${match}`;
}
