// All answers in one drawing, for a reviewer who decides between them. Links on which all answers agree are grey. Ink
// and ochre are two voices: ink for the kind of link in the first answer, ochre for a kind that only others chose.

import { h, say } from "../js/annotate/dom.js";
import { withBlocks } from "../pairs/blocks.js";
import { createBoard } from "../pairs/board.js";
import { sample } from "../pairs/drawing.js";
import { linksOf } from "../pairs/kinds.js";
import { createState } from "../pairs/state.js";

export function compare(root, { content, answers, strings, language, direction }) {
  const texts = [content.source, content.target];
  const labels = [strings.first, strings.second];
  const drawings = answers.map(({ value }) => linksOf(value));
  const union = Object.assign({}, ...drawings);
  const board = createBoard(createState(union, {}), { texts, labels, language, direction, wide: true });
  const lines = Object.keys(union).flatMap(linesOf);
  root.replaceChildren(h("div", { class: "align words" }, board.element, legend()));
  show(null);

  // Two kinds of link between the same words are drawn over each other, and the letters stand on the upper line.
  function linesOf(pair) {
    const kinds = drawings.map((links) => links[pair]?.kind);
    if (kinds.every((kind) => kind === kinds[0])) return [{ pair, kind: kinds[0], voice: "agreed" }];
    const drawn = ["sure", "possible"].filter((kind) => kinds.includes(kind));
    const by = answers.flatMap(({ letter }, at) => (kinds[at] ? letter : [])).join("");
    return drawn.map((kind, layer) => ({
      pair,
      kind,
      voice: kind === kinds[0] ? "first-voice" : "other-voice",
      by: layer === drawn.length - 1 ? by : "",
      layer,
    }));
  }

  function legend() {
    const { letter } = answers[0];
    const looks = {
      "sure agreed": strings.allAgree,
      "sure first-voice": say(strings.asIn, { letter }),
      "sure other-voice": say(strings.unlike, { letter }),
      "possible agreed": strings.possible,
    };
    const entries = Object.entries(looks).map(([look, text]) => h("li", {}, sample(look), text));
    return h("ul", { class: "legend" }, entries);
  }

  // Links that a decision leaves out are faint.
  function show(value) {
    const decided = value && linksOf(value);
    const links = lines.map(({ kind, voice, ...line }) => ({
      ...line,
      look: `${kind} ${voice}`,
      mark: decided && decided[line.pair]?.kind !== kind ? "dropped" : "",
    }));
    const isAgreed = (_, at) => lines[at].voice === "agreed";
    const others = links.filter((link, at) => !isAgreed(link, at)).sort((a, b) => Number(!a.mark) - Number(!b.mark));
    board.draw([...withBlocks(links.filter(isAgreed)), ...others]);
  }

  return { show, light: (pair) => board.lightUp(pair ? { pair } : null) };
}
