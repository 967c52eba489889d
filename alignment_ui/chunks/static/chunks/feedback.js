// The annotator's links and the expected links side by side, with types and scores. Differences are marked on both
// sides.

import { counted, h, say } from "../js/annotate/dom.js";
import { createBoard } from "../pairs/board.js";
import { createState, ends, inOrder } from "../pairs/state.js";
import { documentOf } from "./document.js";
import { facesOf, labelOf, renderFaces } from "./faces.js";
import { createPills } from "./pills.js";
import { isFinalMark } from "./rules.js";

const SIGNS = { missed: "+", extra: "−", changed: "≠" };

// One answer as a still picture, without differences.
export function showPicture(place, { value, ...options }) {
  const document = documentOf(value);
  const own = byTokens(document, options.texts);
  place.replaceChildren(h("div", { class: "align chunked" }, drawing(options, "", document, own, "")));
}

// Returns the texts that describe the difference: the numbers of differences, and a sentence for each link with another
// type or score. Returns "" if there is no difference.
export function showFeedback(place, { expected, given, ...options }) {
  const { texts, strings } = options;
  const [right, own] = [documentOf(expected), documentOf(given)];
  const [inRight, inOwn] = [right, own].map((document) => byTokens(document, texts));
  place.replaceChildren(
    h(
      "div",
      { class: "align compare chunked" },
      drawing(options, strings.yours, own, inRight, "extra"),
      drawing(options, strings.expected, right, inOwn, "missed"),
    ),
  );
  const both = Object.keys(inOwn).filter((key) => inRight[key]);
  const numbers = [
    [strings.extraLinks, Object.keys(inOwn).length - both.length],
    [strings.missedLinks, Object.keys(inRight).length - both.length],
    [strings.otherType, both.filter((key) => kind(inOwn[key]) !== kind(inRight[key])).length],
    [strings.otherScore, both.filter((key) => inOwn[key].score !== inRight[key].score).length],
  ];
  const counts = numbers.filter(([, n]) => n).map(([text, n]) => counted(text, n));
  if (!counts.length) return "";
  const judgements = both
    .filter((key) => judged(inOwn[key]) !== judged(inRight[key]))
    .map((key) => {
      const pair = Object.keys(own.links).find((each) => tokensOf(own, each) === key);
      const [given, wanted] = [inOwn[key], inRight[key]].map(options.wording.judgement);
      return say(strings.otherJudgement, { link: options.wording.pair(own, pair), given, wanted });
    });
  return [counts.join(" "), ...judgements];
}

/**
 * Return a still picture of one answer. Links that exist only on this side have `sign`, and links with different types or
 * scores are marked as changed on both sides.
 * @param {any} options texts, labels and strings, as in `mount`
 */
function drawing(options, title, document, others, sign) {
  const { texts, labels, languages, direction, strings, wording, many } = options;
  const faces = facesOf(document.chunks, texts);
  const pills = createPills(strings.links, null);
  const tags = crosses(document.links) ? null : { ...pills, light: () => {} };
  const nodes = faces.map((side) => side.map((face) => face.element));
  const board = createBoard(createState(document.links, {}), { texts: nodes, labels, languages, direction, tags });
  const shown = Object.keys(document.links).map((pair) => {
    const other = others[tokensOf(document, pair)];
    const mark = betweenMarks(document, texts, pair)
      ? ""
      : !other
        ? sign
        : judged(other) === judged(document.links[pair])
          ? ""
          : "changed";
    return { pair, look: "sure", mark };
  });
  renderFaces(faces, document, { texts, many, chosen: null, compared: true });
  pills.render(
    shown.map(({ pair }) => pair),
    (pair) => {
      const { mark } = shown.find((each) => each.pair === pair);
      const parts = labelOf(document.links[pair], strings);
      return { parts: mark ? [h("em", {}, SIGNS[mark]), ...parts] : parts, look: `sure ${mark}` };
    },
  );
  if (!tags) putInside(pills.element, faces[0], document.links);
  board.draw(shown);
  const lines = Object.keys(document.links).map((pair) =>
    h("li", {}, `${wording.pair(document, pair)}: ${wording.judgement(document.links[pair])}`),
  );
  return h("section", { class: "stage" }, title && h("h2", {}, title), board.element, h("ul", { class: "sr" }, lines));
}

// Labels between the columns would be below each other, so nobody could see which label belongs to which of two links
// that cross. Chunks with several links have no place for labels.
function crosses(links) {
  const sorted = inOrder(Object.keys(links));
  const single = new Set(sorted.map(([source]) => source)).size === sorted.length;
  return single && sorted.some(([, target], at) => at > 0 && target < sorted[at - 1][1]);
}

// Move each label into the first chunk of its link, below the words.
function putInside(labels, faces, links) {
  const sorted = inOrder(Object.keys(links));
  [...labels.children].forEach((label, at) => {
    label.classList.add("inside");
    faces[sorted[at][0]].element.append(label);
  });
}

// Links are compared by their tokens. Links between punctuation marks at the ends of sentences are optional and are not
// compared.
function byTokens(document, texts) {
  const compared = Object.entries(document.links).filter(([pair]) => !betweenMarks(document, texts, pair));
  return Object.fromEntries(compared.map(([pair, link]) => [tokensOf(document, pair), link]));
}

function betweenMarks(document, texts, pair) {
  return ends(pair).every((index, side) => isFinalMark(texts, document, { side, index }));
}

function tokensOf({ chunks }, pair) {
  return ends(pair)
    .map((index, side) => chunks[side][index].join(" "))
    .join("-");
}

function kind({ type, flags }) {
  return [type, ...flags].join();
}

function judged(link) {
  return `${kind(link)} ${link.score}`;
}
