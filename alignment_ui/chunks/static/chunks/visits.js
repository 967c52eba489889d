// One chunk after the other: the next chunk without a link or a mark, with the numbers of its likely matches. After its
// link has a type and a score, or after its mark, the next one follows. Nothing is linked or judged without a key. This
// module is a bundle of its own, which pages for other hosts have no room for.

import { say } from "../js/annotate/dom.js";
import { ends } from "../pairs/state.js";
import { chunkWith, keyOf, linksAt } from "./document.js";
import { numberOf } from "./keys.js";
import { likelyJudgement, likeness } from "./overlap.js";
import { needs, nextFrom, unlinked } from "./rules.js";

const OFFERED = 3;
const DISTANCE = 0.5; // a chunk at the other end of the sentence is as unlikely as half of the words are likely
const GOES_ON = ["type", "score", "judge", "left"]; // changes after which the next chunk may follow

// act: connect(pairs, via), choose({node}), show(step), tell(sentence)
export function createVisits(state, { texts, many, strings, wording, linker, language, act }) {
  let visit = null; // {side, token, matches}: the first word of the chunk, and the offered chunks of the other side

  // After the chunk in focus, on the same side first.
  function next() {
    const node = nextFrom(linker.focused(), unlinked(state.document, texts));
    if (!node) return act.tell(strings.noneOpen);
    go(node);
  }

  function go(node) {
    end();
    act.show("links");
    linker.focusNode(node);
    act.choose({ node });
    visit = { side: node.side, token: state.document.chunks[node.side][node.index][0], matches: [] };
    offer(node);
  }

  function offer(node) {
    visit.matches = likely(node).slice(0, OFFERED);
    linker.mark(visit.matches.map((match, at) => [match, at + 1]));
    const matches = visit.matches.map((match, at) => `${at + 1} ${wording.words(state.document, match)}`).join(", ");
    if (matches) act.tell(say(strings.offer, { words: wording.words(state.document, node), matches }));
  }

  function likely(node) {
    const { chunks } = state.document;
    const place = ({ side, index }) => (index + 0.5) / chunks[side].length;
    const others = chunks[1 - node.side].map((_, index) => ({ side: 1 - node.side, index }));
    const score = (other) =>
      likeness(wordsOf(node), wordsOf(other), language) - DISTANCE * Math.abs(place(node) - place(other));
    return others
      .filter(
        (other) => (many || !linksAt(state.document, other).length) && /[\p{L}\p{N}]/u.test(wordsOf(other).join()),
      )
      .sort((a, b) => score(b) - score(a) || a.index - b.index);
  }

  function wordsOf({ side, index }) {
    return state.document.chunks[side][index].map((token) => texts[side][token]);
  }

  // A digit links the offered match with this number, while the chunk has no link whose score it could be.
  function press(event) {
    const number = numberOf(event);
    const match = visit && number && !state.chosen?.pair ? visit.matches[number - 1] : null;
    if (!match) return false;
    const own = at();
    act.connect([own.side ? `${match.index}-${own.index}` : `${own.index}-${match.index}`], "offer");
    return true;
  }

  // After each change. Returns whether the visit has gone on to the next chunk.
  function changed() {
    if (!visit) return false;
    const node = at();
    const pairs = node ? linksAt(state.document, node) : [];
    const isDone = pairs.length ? !pairs.some((pair) => needs(state.document.links[pair])) : node && isMarked(node);
    if (pairs.length) linker.mark([]);
    if (!node) end();
    if (!isDone || !GOES_ON.includes(state.log.at(-1)[1])) return false;
    end();
    const following = nextFrom(node, unlinked(state.document, texts));
    if (following) go(following);
    return Boolean(following);
  }

  function isMarked(node) {
    return Boolean(state.document.left[keyOf(node)]);
  }

  // The visit ends when something else is selected.
  function check(chosen) {
    const node = visit && at();
    const isOwn = node && (same(chosen?.node, node) || linksAt(state.document, node).includes(chosen?.pair));
    if (visit && !isOwn) end();
  }

  function end() {
    if (!visit) return;
    visit = null;
    linker.mark([]);
  }

  function at() {
    const { side, token } = visit;
    const index = chunkWith(state.document, { side, index: token });
    return index < 0 ? null : { side, index };
  }

  // The likeliest type and score of a link, or null.
  function judgement(pair) {
    const words = ends(pair).map((index, side) => wordsOf({ side, index }));
    return likelyJudgement(words, language);
  }

  return { next, press, changed, check, end, judgement };
}

function same(one, other) {
  return one?.side === other.side && one.index === other.index;
}
