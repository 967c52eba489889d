// The expected answers next to the annotator's answers: each candidate with the expected answer and, if it differs, the
// annotator's answer. The sentence contains the candidates with different answers. Returns a sentence about the
// differences.

import { h, icon, language, say } from "../js/annotate/dom.js";

const LOOKS = { yes: "check", no: "close" };

export function showFeedback(place, { content, strings, text, expected, given }) {
  const { before, phrase, after, candidates } = content;
  const differs = (index) => expected.votes[index] !== given.votes[index];
  const sentence = h("p", { class: "sent panel", ...text }, before, h("mark", {}, phrase), after);
  const rows = h("ul", { class: "panel cands" }, candidates.map(row));
  place.replaceChildren(h("div", { class: "para seen" }, sentence, rows));
  return difference();

  function row(words, index) {
    const right = expected.votes[index] ? "yes" : "no";
    const own = given.votes[index] ? "yes" : "no";
    if (!differs(index)) {
      return h("li", { class: "cand" }, number(index), shown(words), h("div", { class: "tags" }, tag("agreed", right)));
    }
    const tried = h("p", { class: "sent in", ...text }, before, h("ins", {}, words), after);
    const tags = [tag("expected", right, `expect-${right}`), tag("yours", own)];
    const both = h("div", {}, shown(words), tried);
    return h("li", { class: `cand differs ${right}` }, number(index), both, h("div", { class: "tags" }, tags));
  }

  function number(index) {
    return h("span", { class: "n", "aria-hidden": "true" }, `${index + 1}`);
  }

  function shown(words) {
    return h("p", { class: "sent", ...text }, words);
  }

  function tag(words, answer, look = words) {
    return h("span", { class: `state ${look}` }, icon(LOOKS[answer]), say(strings[words], { answer: strings[answer] }));
  }

  function difference() {
    const missed = candidates.map((_, index) => index).filter(differs);
    if (!missed.length) return "";
    const quoted = (index) => say(strings.quoted, { words: candidates[index] });
    const named = (yes) => missed.filter((index) => expected.votes[index] === yes).map(quoted);
    const said = [
      [strings.expectedYes, named(true)],
      [strings.expectedNo, named(false)],
    ].filter(([, words]) => words.length);
    return said.map(([sentence, words]) => say(sentence, { words: inList(words) })).join(" ");
  }
}

/** Draw one answer for researchers: the sentence, and each candidate with its vote. */
export function picture(root, { content, value, strings, language, direction }) {
  const text = { lang: language, dir: direction || "auto" };
  const rows = content.candidates.map((words, index) => {
    const vote = value.votes[index] ? "yes" : "no";
    const tag = h(
      "span",
      { class: `state ${vote === "yes" ? "expect-yes" : "agreed"}` },
      icon(LOOKS[vote]),
      strings[vote],
    );
    const number = h("span", { class: "n", "aria-hidden": "true" }, `${index + 1}`);
    return h(
      "li",
      { class: "cand" },
      number,
      h("p", { class: "sent", ...text }, words),
      h("div", { class: "tags" }, tag),
    );
  });
  const sentence = sentenceOf(content, text);
  sentence.classList.add("panel");
  root.replaceChildren(h("div", { class: "para seen" }, sentence, h("ul", { class: "panel cands" }, rows)));
}

/** Show the sentence for a reviewer, with the votes on which all annotators agree. */
export function compare(root, { content, answers, strings, language, direction }) {
  const text = { lang: language, dir: direction || "auto" };
  const [{ value: first }] = answers;
  const agree = (index) => answers.every(({ value }) => value.votes[index] === first.votes[index]);
  const agreed = content.candidates.flatMap((words, index) => {
    const vote = first.votes[index] ? "yes" : "no";
    const name = [h("span", text, words), ` ${strings[vote]}`];
    return agree(index) ? [h("li", { class: "state agreed" }, icon(LOOKS[vote]), name)] : [];
  });
  root.replaceChildren(h("div", { class: "para" }, sentenceOf(content, text), h("ul", { class: "agreeing" }, agreed)));
  return { show: () => {} };
}

function sentenceOf({ before, phrase, after }, text) {
  return h("p", { class: "sent", ...text }, before, h("mark", {}, phrase), after);
}

function inList(words) {
  return new Intl.ListFormat(language(), { type: "conjunction" }).format(words);
}
