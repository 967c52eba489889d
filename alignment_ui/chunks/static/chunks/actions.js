// The actions of an annotator on chunks, links, types, scores and unlinked chunks. Each action becomes one step of the
// history, or a sentence that explains why the action is not possible.

import { counted, say } from "../js/annotate/dom.js";
import { ends } from "../pairs/state.js";
import { blockWith } from "./bands.js";
import {
  change,
  chunk,
  chunkWith,
  keyOf,
  leftOver,
  link,
  linksAt,
  mark,
  move,
  singles,
  split,
  takeApart,
  unlink,
} from "./document.js";
import { FLAGS, fits, scoreRule, typed } from "./rules.js";

// edit: the function `edit` of the history; tell(words): explains why an action is not possible; caret(): the word in
// focus while chunks are formed
export function createActions(state, { many, lengths, wording, strings, edit, tell, caret }) {
  // ── chunks ───────────────────────────────────────────────────────────────────────────────────────────────────
  function make(side, tokens, via, op = "chunk") {
    const next = chunk(state.document, side, tokens, many);
    const inOrder = [...tokens].sort((a, b) => a - b);
    const words = wording.brief(wording.tokens(side, inOrder));
    regroup(next, op, via, [side, tokens], say(strings.saidChunk, { words }));
  }

  // While chunks are formed, words are selected. Between linked sentences, chunks are selected.
  function join(via) {
    const making = state.step === "chunks";
    const side = state.selection.findIndex((chosen) => chosen.size);
    const picked = [...(state.selection[side] ?? [])];
    const enough =
      picked.length > 1 || (making && picked.some((index) => chunkWith(state.document, { side, index }) < 0));
    if (!enough) return tell(strings.joinWhat);
    make(side, making ? picked : picked.flatMap((index) => state.document.chunks[side][index]), via, "join");
  }

  // Split in front of the word or, between linked sentences, into pieces.
  function cut(via) {
    const making = state.step === "chunks";
    const picked = pickedUp();
    const node = making ? caret() : picked.length === 1 ? picked[0] : state.chosen?.node;
    if (!node) return tell(strings.splitWhat);
    const next = (making ? split : takeApart)(state.document, node);
    if (next === state.document) return tell(strings.splitOne);
    regroup(next, "split", via, [node.side, node.index], strings.saidSplit);
  }

  // Join the chunk that contains a word with the next word and its chunk. Returns that word.
  function grow(node, via) {
    const tokens = tokensWith(node);
    const next = { side: node.side, index: Math.max(...tokens) + 1 };
    if (next.index >= lengths[node.side]) return null;
    make(node.side, [...new Set([...tokens, ...tokensWith(next)])], via, "join");
    return next;
  }

  // Make the last word of a chunk a chunk of its own. Returns the word before it.
  function shrink(node, via) {
    const tokens = tokensWith(node);
    if (tokens.length < 2) return tell(strings.splitOne);
    make(node.side, tokens.slice(-1), via, "split");
    return { side: node.side, index: tokens.at(-2) };
  }

  function tokensWith(node) {
    return state.document.chunks[node.side][chunkWith(state.document, node)] ?? [node.index];
  }

  function single(via) {
    regroup(singles(state.document, lengths), "chunk", via, null, strings.saidSingles);
  }

  // The first word of the chunk remains selected, and a message states that links were removed.
  function regroup(next, op, via, detail, words) {
    const lost = Object.keys(next.links).length < Object.keys(state.document.links).length;
    const { node } = state.chosen ?? {};
    const index = node
      ? chunkWith(next, { side: node.side, index: state.document.chunks[node.side][node.index][0] })
      : -1;
    state.chosen = index < 0 ? null : chosenAt(next, { side: node.side, index });
    edit(next, op, via, detail, lost ? `${words} ${strings.linksLost}` : words);
  }

  function pickedUp() {
    return state.selection.flatMap((chosen, side) => [...chosen].map((index) => ({ side, index })));
  }

  // ── links ────────────────────────────────────────────────────────────────────────────────────────────────────
  // A pair that is already linked is only selected.
  function connect(pairs, via) {
    if (pairs.length > 1 && !many) return tell(strings.oneEach);
    const before = state.document.links;
    const fresh = pairs.filter((pair) => !before[pair]);
    const next = fresh.reduce((made, pair) => link(made, pair, many), state.document);
    state.chosen = { pair: pairs.at(-1) };
    const replaces = Object.keys(before).some((pair) => !next.links[pair]);
    const said = replaces ? strings.saidInstead : strings.saidLinked;
    edit(next, "link", via, oneOrAll(fresh.map(ends)), say(said, { links: wording.briefly(next, fresh) }));
  }

  function moveTo(pair, to, via) {
    if (state.document.links[to]) return tell(say(strings.linkedSo, { link: wording.pair(state.document, to) }));
    const next = move(state.document, pair, to, many);
    state.chosen = { pair: to };
    const words = say(strings.saidEnd, { links: wording.briefly(next, [to]) });
    edit(next, "move", via, [ends(pair), ends(to)], words);
  }

  function setType(type, via) {
    judge("type", via, type, (before) => typed(before, type));
  }

  function setScore(score, via) {
    const link = state.document.links[state.chosen?.pair];
    if (link && !fits(link.type, score)) return tell(strings[scoreRule(link.type)]);
    judge("score", via, score, () => ({ score }));
  }

  function setFlag(flag, via) {
    const turned = (flags) => FLAGS.filter((each) => flags.includes(each) !== (each === flag));
    judge("flag", via, flag, ({ flags }) => ({ flags: turned(flags) }));
  }

  // Take the offered type and score.
  function judgeAs(judgement, via) {
    if (judgement) judge("judge", via, [judgement.type, judgement.score], () => ({ ...judgement }));
    else tell(state.chosen?.pair ? strings.noOffer : state.chosen ? strings.linkFirst : strings.chooseFirst);
  }

  function judge(op, via, what, of) {
    const pair = state.chosen?.pair;
    if (!pair) return tell(state.chosen ? strings.linkFirst : strings.chooseFirst);
    const { links } = state.document;
    const pairs = blockWith(links, pair);
    const next = pairs.reduce((made, each) => change(made, each, of(links[each])), state.document);
    const words = `${wording.briefly(next, pairs)}: ${wording.judgement(next.links[pair])}`;
    edit(next, op, via, [...(pairs.length > 1 ? [pairs.map(ends)] : ends(pair)), what], words);
  }

  // The selected link or block, or the mark of the selected chunk.
  function remove(via) {
    const { document } = state;
    const { pair, node } = state.chosen ?? {};
    if (pair) {
      state.chosen = node ? { node } : null;
      const pairs = blockWith(document.links, pair);
      const words = say(strings.saidUnlinked, { links: wording.briefly(document, pairs) });
      edit(unlink(document, pairs), "unlink", via, oneOrAll(pairs.map(ends)), words);
    } else if (node && document.left[keyOf(node)]) {
      const words = `${wording.brief(wording.words(document, node))}: ${strings.unlinked}`;
      edit(mark(document, [node], null), "left", via, [node.side, node.index, null], words);
    }
  }

  // ── unlinked chunks ──────────────────────────────────────────────────────────────────────────────────────────
  function setLeft(type, via) {
    if (many) return tell(strings.looseMany);
    const picked = state.step === "links" ? pickedUp() : [];
    const nodes = picked.length || !state.chosen?.node ? picked : [state.chosen.node];
    if (!nodes.length) return tell(state.chosen ? strings.linkedAlready : strings.chooseFirst);
    if (nodes.some((node) => linksAt(state.document, node).length)) return tell(strings.linkedAlready);
    leave(nodes, type, via);
  }

  function rest(via) {
    const nodes = leftOver(state.document).filter((node) => !state.document.left[keyOf(node)]);
    if (nodes.length && !many && state.step === "links") leave(nodes, "NOALI", via);
  }

  function leave(nodes, type, via) {
    const names = nodes.map((node) => wording.brief(wording.words(state.document, node)));
    const words =
      names.length > 2 ? say(counted(strings.saidMarked, names.length), { type }) : `${names.join("; ")}: ${type}`;
    const detail = oneOrAll(nodes.map(({ side, index }) => [side, index, type]));
    edit(mark(state.document, nodes, type), "left", via, detail, words);
  }

  const links = { connect, moveTo, setType, setScore, setFlag, judgeAs, remove, setLeft, rest };
  return { make, join, cut, single, grow, shrink, ...links };
}

// Select a chunk with its link. If one of its links is already selected, that link stays selected.
export function chosenAt(document, node, before = null) {
  const pairs = linksAt(document, node);
  const pair = pairs.includes(before?.pair) ? before.pair : pairs[0];
  return pair ? { node, pair } : { node };
}

function oneOrAll(details) {
  return details.length === 1 ? details[0] : details;
}
