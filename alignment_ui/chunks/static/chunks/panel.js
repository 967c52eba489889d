// The form next to the board: the type and the score of the selected link, or the reason why the selected chunk has no
// link.

import { h, icon, say } from "../js/annotate/dom.js";
import { capOf, shortcut } from "../js/annotate/keymap.js";
import { FLAGS, fits, LEFT, SCORES, scoreRule, TYPES } from "./rules.js";

// act: type(name), score(n), flag(name), left(name), remove(), close(): via is always the panel; offer(): takes the
// offered type and score
export function createPanel({ strings, languages, direction, still, act }) {
  const fields = []; // {input, name, value, label}
  const title = h("h2", {}, strings.chosenLink);
  const [first, second] = languages;
  const sentence = h("p", { class: "sent", lang: first === second ? first : null, dir: direction || "auto" });
  const offered = h("span");
  const offerCap = h("kbd", { "aria-hidden": "true" });
  const offer = h("button", { class: "b offer", type: "button", onclick: act.offer }, offered, offerCap);
  const types = fieldset(
    "types",
    strings.type,
    TYPES.map((name) => option("type", name, act.type)),
  );
  const cap = h("span", { class: "range" }, h("kbd", {}, "1"), " – ", h("kbd", {}, "5"));
  const rule = h("span", { class: "faint" });
  const scores = fieldset(
    "scores",
    [strings.howClose, " ", cap, " ", rule],
    SCORES.map((score) => option("score", score, act.score)),
  );
  const flags = fieldset(
    "flags",
    strings.also,
    FLAGS.map((name) => option("flag", name, act.flag, "checkbox")),
  );
  const left = fieldset(
    "types left",
    strings.noLink,
    LEFT.map((name) => option("left", name, act.left)),
  );
  const hint = h("p", { class: "hint" });
  const removeCap = h("kbd", { "aria-hidden": "true" });
  const remove = h(
    "button",
    { class: "b b-plain", type: "button", onclick: act.remove },
    icon("unlink"),
    h("span", { class: "t" }, strings.unlink),
    removeCap,
  );
  const close = h(
    "button",
    { class: "b b-plain", type: "button", onclick: act.close },
    icon("close"),
    h("span", { class: "sr" }, strings.close),
  );
  const element = h(
    "aside",
    { class: "inspect", "aria-label": strings.panel },
    h("header", {}, title, remove, close),
    sentence,
    hint,
    offer,
    types,
    left,
    scores,
    flags,
  );

  function bdi(text, side) {
    return h("bdi", { lang: languages[side] }, text);
  }

  function fieldset(name, legend, parts) {
    return h("fieldset", { class: name, disabled: still }, h("legend", {}, legend), h("div", {}, parts));
  }

  function option(name, value, take, kind = "radio") {
    const id = `${name}-${value}`;
    const input = h("input", { type: kind, id, name, value, onchange: () => take(value) });
    const key = h("kbd", { "aria-hidden": "true" });
    const label = h(
      "label",
      { for: id },
      name === "score" ? null : key,
      h("b", {}, `${value}`),
      strings[value] && h("span", { class: "d" }, strings[value]),
    );
    fields.push({ input, key, name, value });
    return h("span", { class: "opt" }, input, label);
  }

  // about: {link, words: [first, second], offer: {type, score} or null}, {mark, words: [chunk], many} or {title, hint}; keys: by action
  function render({ about, keys }) {
    const { link, words, mark, many } = about;
    const loose = !link && Boolean(words);
    element.classList.toggle("idle", !words);
    title.textContent = about.title ?? (link ? strings.chosenLink : strings.chosenChunk);
    sentence.hidden = !words;
    sentence.replaceChildren(
      ...(words ?? []).flatMap((text, at) =>
        at
          ? [h("span", { class: "faint", role: "img", "aria-label": strings.with }, " ↔ "), bdi(text, at)]
          : [bdi(text, link ? at : about.side)],
      ),
    );
    hint.textContent = about.hint ?? (loose ? (many ? strings.looseMany : strings.loose) : "");
    for (const part of [types, scores, flags, remove]) part.hidden = !link;
    remove.hidden ||= still;
    offer.hidden = !about.offer;
    if (about.offer) offered.textContent = say(strings.offerJudgement, about.offer);
    offerCap.textContent = capOf(keys.offer);
    offer.setAttribute("aria-keyshortcuts", shortcut(keys.offer));
    removeCap.textContent = capOf(keys.remove);
    remove.setAttribute("aria-keyshortcuts", shortcut(keys.remove));
    left.hidden = !loose || many;
    rule.textContent = link ? strings[scoreRule(link.type)] : "";
    for (const { input, key, name, value } of fields) {
      const now = { type: link?.type, score: link?.score, left: mark }[name];
      input.checked = name === "flag" ? Boolean(link?.flags.includes(value)) : now === value;
      if (name === "score") input.disabled = Boolean(link) && !fits(link.type, value);
      else {
        key.textContent = capOf(keys[value]);
        input.setAttribute("aria-keyshortcuts", shortcut(keys[value]));
      }
    }
  }

  return { element, render };
}
