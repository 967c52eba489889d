// All answers in one drawing, for a reviewer who decides between them. Links on which all answers agree are grey. Ink
// and ochre are two voices: ink for the kind of link in the first answer, ochre for a kind that only others chose.

import { h, say } from "../js/annotate/dom.js";
import { withBlocks } from "../pairs/blocks.js";
import { createBoard } from "../pairs/board.js";
import { sample } from "../pairs/drawing.js";
import { linksOf } from "../pairs/kinds.js";
import { languagesOf } from "../pairs/languages.js";
import { createState } from "../pairs/state.js";

const OWN = "✓";

export function compare(root, { content, answers, strings, language, direction }) {
  const texts = [content.source, content.target];
  const labels = [strings.first, strings.second];
  const drawings = answers.map(({ value }) => linksOf(value));
  const union = Object.assign({}, ...drawings);
  const board = createBoard(createState(union, {}), {
    texts,
    labels,
    languages: languagesOf(content, language),
    direction,
    wide: true,
  });
  const lines = Object.keys(union).flatMap(linesOf);
  const decision = h("li", {}, sample("sure own"), strings.ownLink);
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
    const [{ letter }, ...others] = answers;
    const looks = {
      "sure agreed": strings.allAgree,
      "sure first-voice": say(strings.asIn, { letter }),
      "sure other-voice": others.length === 1 ? say(strings.asIn, others[0]) : strings.unlike,
      "possible agreed": strings.possible,
    };
    const entries = Object.entries(looks).map(([look, text]) => h("li", {}, sample(look), text));
    return h("ul", { class: "legend" }, entries, decision);
  }

  // Links that the decision or the choices so far leave out are faint, and links that only the decision has are added.
  // picks: the chosen parts, {pair, kind}, while some are open
  function show(value, picks = []) {
    const links = value ? linksOf(value) : Object.fromEntries(picks.map(({ pair, kind }) => [pair, { kind }]));
    const isDropped = ({ pair, kind }) => (value || pair in links) && links[pair]?.kind !== kind;
    const isDrawn = (pair, kind) => lines.some((line) => line.pair === pair && line.kind === kind);
    const own = Object.keys(value ? links : {}).filter((pair) => !isDrawn(pair, links[pair].kind));
    const added = own.map((pair) => ({
      pair,
      kind: links[pair].kind,
      voice: "own",
      by: OWN,
      layer: Number(pair in union),
    }));
    decision.hidden = !own.length;
    const all = [...lines, ...added].map((line) => ({ ...line, mark: isDropped(line) ? "dropped" : "" }));
    const looking = all.map(({ kind, voice, ...line }) => ({
      ...line,
      by: lettersOf(line, all),
      look: `${kind} ${voice}`,
    }));
    const isAgreed = (_, at) => all[at].voice === "agreed";
    const others = looking.filter((link, at) => !isAgreed(link, at)).sort((a, b) => Number(!a.mark) - Number(!b.mark));
    board.draw([...withBlocks(looking.filter(isAgreed)), ...others]);
  }

  // The letters stand on the chosen line of a pair.
  /** @param {{pair: string, mark: string, by?: string}} line @param {{pair: string, mark: string, by?: string}[]} all */
  function lettersOf({ pair, mark, by }, all) {
    const same = all.filter((line) => line.pair === pair);
    if (by === OWN || same.length < 2 || same.every((line) => line.mark) || same.every((line) => !line.mark)) return by;
    return mark ? "" : same.find((line) => line.by)?.by;
  }

  return { show, light: (pair) => board.lightUp(pair ? { pair } : null) };
}
