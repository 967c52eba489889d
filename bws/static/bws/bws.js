// Best–worst scaling: one of k texts or pairs of sentences is the most, and another is the least. README.md describes
// the contract. A value is {best, worst}: positions on the screen, starting at 1, or null without a choice.

import { compose, h, icon, say } from "../js/annotate/dom.js";
import { actionOf, capOf, keysOf } from "../js/annotate/keymap.js";

const VOICES = [
  { name: "best", other: "worst", look: "most" },
  { name: "worst", other: "best", look: "least" },
];

// The usual keys: the place of an item chooses the item as best, and Shift with the place chooses the item as worst.
const PLACES = [1, 2, 3, 4, 5, 6];
const KEYS = Object.fromEntries(
  PLACES.flatMap((place) => [
    [`most${place}`, `${place}`],
    [`least${place}`, `Shift+${place}`],
  ]),
);

const DENSE = 700; // characters: if there are more, the four items need smaller letters to fit on a low screen

export function mount(root, { content, value, disabled, onChange, strings, language, direction }) {
  const state = { best: null, worst: null, ...value };
  const { noun } = content.ask; // the study's name for an item, for example "pair"
  const words = buttonWords(content, strings);
  const inputs = [];
  const cards = content.items.map((item, index) => card(item, index + 1));
  const length = content.items.flatMap(({ sentences }) => sentences).join("").length;
  root.replaceChildren(h("div", { class: length > DENSE ? "bws dense" : "bws" }, cards));
  document.addEventListener("keyschosen", renderKeys);
  renderKeys();
  render();

  function card(item, place) {
    const picks = VOICES.map((voice) => pick(voice, place));
    const label = capitalised(name(place));
    return h("article", { class: "pair", "aria-label": label }, texts(item, place), h("div", { class: "pick" }, picks));
  }

  function pick(voice, place) {
    const id = `${voice.name}-${place}`;
    const input = h("input", { type: "radio", id, name: voice.name, value: place, class: voice.look, disabled });
    input.addEventListener("change", () => choose(voice, place));
    const cap = h("kbd", { "aria-hidden": "true" });
    inputs.push({ input, voice, place, cap });
    const label = [h("span", {}, words[voice.look]), h("span", { class: "sr" }, ` ${name(place)}`)];
    return [input, h("label", { for: id }, icon(voice.look, "i open"), h("span", {}, label), cap)];
  }

  function texts(item, place) {
    return h("div", {}, number(place), sentences(item, { language, direction }));
  }

  function number(place) {
    return h("span", { class: "n", "aria-hidden": "true" }, h("i", {}, `${capitalised(noun)} `), `${place}`);
  }

  function name(place) {
    return `${noun} ${place}`;
  }

  function choose(voice, place) {
    if (disabled) return;
    state[voice.name] = place;
    if (state[voice.other] === place) state[voice.other] = null; // a choice is moved, so an item is never both
    render();
    onChange({ ...state }, `${capitalised(name(place))}: ${words[voice.look]}`);
  }

  function render() {
    for (const { input, voice, place } of inputs) input.checked = state[voice.name] === place;
  }

  function renderKeys() {
    const keys = keysOf(KEYS);
    for (const { voice, place, cap } of inputs) cap.textContent = capOf(keys[`${voice.look}${place}`]);
  }

  return {
    setValue(next) {
      Object.assign(state, { best: null, worst: null }, next);
      render();
    },

    key(event) {
      const action = actionOf(event, KEYS);
      const chosen = inputs.find(({ voice, place }) => `${voice.look}${place}` === action);
      if (chosen) choose(chosen.voice, chosen.place);
      return Boolean(chosen);
    },

    complete: (candidate) => Boolean(candidate?.best && candidate?.worst && candidate.best !== candidate.worst),

    refuse(candidate) {
      const open = VOICES.filter(({ name }) => !candidate?.[name]).map(({ look }) => content.ask[look]);
      if (open.length > 1) return say(strings.chooseBoth, { noun, most: open[0], least: open[1] });
      return open.length ? say(strings.chooseOne, { noun, ask: open[0] }) : "";
    },

    heading() {
      const labels = {
        noun,
        most: h("span", { class: "say-most" }, content.ask.most),
        least: h("span", { class: "say-least" }, content.ask.least),
      };
      return compose(strings.ask, labels);
    },

    // Shows the expected choices next to the annotator's choices, and describes the difference in a sentence.
    feedback(place, { expected, given }) {
      place.replaceChildren(
        h(
          "div",
          { class: "bws" },
          content.items.map((item, index) => compared(item, index + 1, expected, given)),
        ),
      );
      const differing = VOICES.filter(({ name: voice }) => expected[voice] !== given[voice]);
      return differing
        .map((voice) =>
          say(strings.differently, {
            given: name(given[voice.name]),
            ask: content.ask[voice.look],
            expected: name(expected[voice.name]),
          }),
        )
        .join(" ");
    },

    destroy() {
      document.removeEventListener("keyschosen", renderKeys);
      root.replaceChildren();
    },
  };

  function compared(item, place, expected, given) {
    const tags = VOICES.flatMap((voice) => {
      const right = expected[voice.name] === place;
      const own = given[voice.name] === place;
      if (!right && !own) return [];
      const [look, text] = right
        ? [`expect-${voice.look}`, own ? strings.agreed : strings.expected]
        : ["yours", strings.yours];
      return [h("span", { class: `tag ${look}` }, icon(voice.look), say(text, { ask: words[voice.look] }))];
    });
    const voice = VOICES.find(({ name: voice }) => expected[voice] === place);
    const look = voice ? `is-${voice.look}` : tags.length ? "" : "off";
    return h(
      "article",
      { class: `pair slim ${look}`, "aria-label": capitalised(name(place)) },
      texts(item, place),
      tags.length ? h("div", { class: "tags" }, tags) : null,
    );
  }
}

/** Draw one answer for researchers: the items in the order on the screen, with the chosen items marked. */
export function picture(root, { content, value, strings, language, direction }) {
  const labels = (name, place) => (value[name] === place ? [""] : []);
  const cards = content.items.map((_, index) => still(content, index + 1, { strings, language, direction }, labels));
  root.replaceChildren(h("div", { class: "bws" }, cards));
}

/** Draw all answers for a reviewer: each choice has the letters of its annotators. A decision marks its two items. */
export function compare(root, { content, answers, strings, language, direction }) {
  const letters = (name, place) => answers.filter(({ value }) => value[name] === place).map(({ letter }) => letter);
  const labels = (name, place) => (letters(name, place).length ? [` ${letters(name, place).join(" ")}`] : []);
  const cards = content.items.map((_, index) => still(content, index + 1, { strings, language, direction }, labels));
  root.replaceChildren(h("div", { class: "bws" }, cards));

  function show(value, picks = []) {
    const chosen = value ?? Object.fromEntries(picks.map(({ name, place }) => [name, place]));
    cards.forEach((card, index) => {
      const voice = VOICES.find(({ name }) => chosen[name] === index + 1);
      card.classList.toggle("off", Boolean(value) && !voice);
      for (const { look } of VOICES) card.classList.toggle(`is-${look}`, voice?.look === look);
    });
  }

  show(null);
  return { show };
}

/** The choices of several answers, for a reviewer who decides between them. */
export function parts({ content, strings }, values) {
  const { noun } = content.ask;
  const labels = buttonWords(content, strings);
  return VOICES.map(({ name, look }) => ({
    at: name,
    label: labels[look],
    readings: values.map((value) => ({
      at: name,
      part: { name, place: value[name] },
      words: `${noun} ${value[name]}`,
    })),
  }));
}

export function withPart(_, value, { name, place }) {
  return { ...value, [name]: place };
}

/** Whether two parts choose the same item as best and as worst. */
export function conflict(_, one, other) {
  return one.name !== other.name && one.place === other.place;
}

// An item that cannot be chosen. labels(name, place): the texts behind the word for a choice
function still(content, place, { strings, language, direction }, labels) {
  const chosen = VOICES.flatMap((voice) => labels(voice.name, place).map((label) => ({ ...voice, label })));
  const words = buttonWords(content, strings);
  const tags = chosen.map(({ look, label }) =>
    h("span", { class: `tag expect-${look}` }, icon(look), `${words[look]}${label}`),
  );
  const number = h("span", { class: "n", "aria-hidden": "true" }, `${place}`);
  const texts = sentences(content.items[place - 1], { language, direction });
  return h(
    "article",
    { class: `pair slim ${chosen.length ? `is-${chosen[0].look}` : "off"}` },
    h("div", {}, number, texts),
    tags.length ? h("div", { class: "tags" }, tags) : null,
  );
}

// The sentences of an item, in their own language and direction; "auto" leaves the direction to each sentence.
function sentences(item, { language, direction }) {
  return item.sentences.map((text) => h("p", { class: "sent", lang: language, dir: direction || "auto" }, text));
}

// The words on the buttons: “Most” and “Least”, or the study's wording if “Least” is not in it, because “Least” below a
// question about the most negative text would be ambiguous.
function buttonWords({ ask }, { most, least }) {
  const usual = ask.least.toLocaleLowerCase().includes(least.toLocaleLowerCase());
  return usual ? { most, least } : { most: capitalised(ask.most), least: capitalised(ask.least) };
}

function capitalised(text) {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
