// Ratings on sliders, or an order of texts. Accord's file static/js/README.md describes the parameters and results of
// `mount`. A value is {ratings: [[number or null per scale] per text]} or {ranks: [rank or null per text]}. Tied texts
// share a rank. A slider has no position, and a text no rank, until the annotator chooses one.

export function mount(root, given) {
  return given.content.scales.length ? mountScales(root, given) : mountOrder(root, given);
}

// Draw one answer without controls.
export function picture(root, { content, value, strings, language, direction }) {
  const rows = content.texts.map((text, at) =>
    h("li", {}, h("p", { class: "sent", lang: language, dir: direction }, text), h("p", {}, words(content, value, at, strings))),
  );
  root.replaceChildren(h("ol", { class: "rating-seen" }, ...rows));
}

// ── ratings ─────────────────────────────────────────────────────────────────────────────────────────────────────
function mountScales(root, { content, value, disabled, onChange, strings, language, direction }) {
  const { texts, scales } = content;
  let ratings = ratingsOf(value);
  const sliders = [];
  const articles = texts.map((text, at) => {
    const rows = scales.map((scale, place) => slider(scale, at, place));
    const label = say(strings.text, { n: at + 1 });
    return h("article", { class: "panel", "aria-label": label }, textOf(text, language, direction), ...rows);
  });
  root.replaceChildren(h("div", { class: "rating" }, ...contextOf(content, language, direction), ...articles));
  render();

  function ratingsOf(next) {
    return texts.map((_, at) => scales.map((_, place) => next?.ratings?.[at]?.[place] ?? null));
  }

  function slider(scale, at, place) {
    const input = h("input", { type: "range", min: scale.low, max: scale.high, step: 1, disabled });
    input.setAttribute("aria-label", say(strings.slider, { scale: scale.name, n: at + 1 }));
    input.addEventListener("input", () => rate(at, place, Number(input.value)));
    // A press at the middle, where an unanswered slider rests, changes no value.
    input.addEventListener("click", () => ratings[at][place] ?? rate(at, place, Number(input.value)));
    const number = h("output", { "aria-hidden": "true" });
    const marks = scale.anchors.map(([mark, meaning]) => {
      const share = (mark - scale.low) / (scale.high - scale.low);
      const side = share < 0.2 ? "start" : share > 0.8 ? "end" : "mid";
      const anchor = h("span", { class: side }, h("b", {}, String(mark)), ` ${meaning}`);
      anchor.style.setProperty("--at", share);
      return anchor;
    });
    sliders.push({ input, number, scale, at, place });
    const name = h("div", { class: "scale-name" }, h("span", {}, scale.name), number);
    return h("div", { class: "scale" }, name, input, h("div", { class: "anchors", dir: direction }, ...marks));
  }

  function rate(at, place, rating) {
    if (disabled) return;
    ratings = ratings.map((row, n) => (n === at ? row.map((old, m) => (m === place ? rating : old)) : row));
    render();
    onChange({ ratings }, spoken(scales[place], rating, strings));
  }

  function render() {
    for (const { input, number, scale, at, place } of sliders) {
      const rating = ratings[at][place];
      input.classList.toggle("unanswered", rating === null);
      input.value = String(rating ?? Math.round((scale.low + scale.high) / 2));
      input.setAttribute("aria-valuetext", rating === null ? strings.unanswered : spoken(scale, rating, strings));
      input.style.setProperty("--share", rating === null ? 0 : (rating - scale.low) / (scale.high - scale.low));
      number.textContent = rating === null ? "–" : String(rating);
    }
  }

  const missing = (next) => sliders.find(({ at, place }) => typeof next?.ratings?.[at]?.[place] !== "number");

  return {
    heading: () => [content.ask],
    setValue(next) {
      ratings = ratingsOf(next);
      render();
    },
    key({ key }) {
      const focused = sliders.find(({ input }) => input === document.activeElement);
      const chosen = focused ?? missing({ ratings });
      if (!/^[0-9]$/.test(key) || !chosen || disabled) return false;
      const { scale, at, place, input } = chosen;
      const short = scale.low >= 0 && scale.high <= 9;
      const rating = short ? Number(key) : Math.round(scale.low + (Number(key) / 10) * (scale.high - scale.low));
      if (rating < scale.low || rating > scale.high) return false;
      input.focus();
      rate(at, place, rating);
      return true;
    },
    complete: (next) => !missing(next),
    refuse(next) {
      const { input, scale, at } = missing(next);
      input.focus();
      return say(strings.missingRating, { scale: scale.name, n: at + 1 });
    },
    feedback: (place, compared) => feedback(place, compared, { content, strings, language, direction }),
    destroy: () => root.replaceChildren(),
  };
}

function spoken(scale, rating, strings) {
  const [, anchor] = scale.anchors.reduce((best, one) => (Math.abs(one[0] - rating) < Math.abs(best[0] - rating) ? one : best));
  return say(strings.position, { value: rating, anchor });
}

// ── an order ────────────────────────────────────────────────────────────────────────────────────────────────────
function mountOrder(root, { content, value, disabled, onChange, strings, language, direction }) {
  const { texts, ties } = content;
  let groups = groupsOf(value); // the texts of each rank
  let drag = null; // {at, y, moved}
  const cards = texts.map((text, at) => card(text, at));
  const ranked = h("ol", { class: "ranked" });
  const rest = h("ul", { class: "unranked" });
  const hint = h("p", { class: "faint" }, strings.firstRank);
  const restHeading = h("h2", {}, strings.unranked);
  const order = [h("h2", {}, strings.order), hint, ranked, restHeading, rest];
  root.replaceChildren(h("div", { class: "rating" }, ...contextOf(content, language, direction), ...order));
  const listeners = { pointermove: dragged, pointerup: dropped, pointercancel: dropped };
  for (const [name, listener] of Object.entries(listeners)) document.addEventListener(name, listener);
  render();

  function groupsOf(next) {
    const found = [];
    for (const [at, rank] of (next?.ranks ?? []).entries()) if (rank) (found[rank - 1] ??= []).push(at);
    return found.filter(Boolean);
  }

  function card(text, at) {
    const button = (name, sign, action) => {
      const press = h("button", { type: "button", class: "b b-icon", disabled }, sign);
      press.addEventListener("click", () => act(action, at));
      press.title = strings[name];
      press.setAttribute("aria-label", `${strings[name]}: ${say(strings.text, { n: at + 1 })}`);
      return press;
    };
    const grip = h("span", { class: "grip", "aria-hidden": "true", title: strings.drag }, "⠿");
    grip.addEventListener("pointerdown", (event) => {
      if (disabled || event.button) return;
      event.preventDefault();
      drag = { at, y: event.clientY, moved: false };
    });
    const rank = h("b", { class: "rank" });
    const buttons = {
      place: h("button", { type: "button", class: "b", disabled }, strings.place),
      up: button("up", "↑", "up"),
      down: button("down", "↓", "down"),
      tie: button("tie", "=", "tie"),
      remove: button("remove", "×", "remove"),
    };
    buttons.place.addEventListener("click", () => act("place", at));
    buttons.place.setAttribute("aria-label", `${strings.place}: ${say(strings.text, { n: at + 1 })}`);
    const head = h("div", { class: "head" }, grip, h("kbd", { "aria-hidden": "true" }, String(at + 1)), rank);
    const acts = h("div", { class: "move" }, ...Object.values(buttons));
    const element = h("li", { class: "panel", tabindex: -1 }, head, textOf(text, language, direction), acts);
    return { element, rank, buttons };
  }

  function act(action, at) {
    if (disabled) return;
    const before = groupOf(at);
    const own = groups[before];
    if (action === "place" && before < 0) groups.push([at]);
    else if (before < 0) return;
    else if (action === "remove") take(at);
    else if (action === "tie") {
      if (!ties) return;
      const tied = own.length > 1;
      if (!tied && before === 0) return;
      take(at);
      if (tied) groups.splice(before + 1, 0, [at]);
      else groups[before - 1].push(at);
    } else if (action === "up" || action === "down") {
      const alone = own.length === 1;
      const to = before + (action === "up" ? (alone ? -1 : 0) : 1);
      if (to < 0 || (alone && to >= groups.length)) return;
      take(at);
      groups.splice(to, 0, [at]);
    }
    changed(at, action);
  }

  function take(at) {
    groups = groups.map((group) => group.filter((one) => one !== at)).filter((group) => group.length);
  }

  function changed(at, action) {
    render();
    const { buttons, element } = cards[at];
    const focus = [buttons[action], buttons.up, buttons.down, buttons.place].find((one) => one && !one.hidden && !one.disabled);
    (focus ?? element).focus();
    onChange({ ranks: ranks() }, `${say(strings.text, { n: at + 1 })}: ${rankOf(at)}`);
  }

  function groupOf(at) {
    return groups.findIndex((group) => group.includes(at));
  }

  function ranks() {
    return texts.map((_, at) => groupOf(at) + 1 || null);
  }

  function rankOf(at) {
    return groupOf(at) < 0 ? strings.noRank : say(strings.rank, { n: groupOf(at) + 1 });
  }

  function render() {
    const listed = groups.flat();
    ranked.replaceChildren(...listed.map((at) => cards[at].element));
    const left = texts.map((_, at) => at).filter((at) => !listed.includes(at));
    rest.replaceChildren(...left.map((at) => cards[at].element));
    hint.hidden = listed.length > 0;
    restHeading.hidden = rest.hidden = !left.length;
    for (const [at, { element, rank, buttons }] of cards.entries()) {
      const place = groupOf(at);
      const tied = place >= 0 && groups[place].length > 1;
      rank.textContent = rankOf(at);
      element.classList.toggle("tied", tied && groups[place][0] !== at);
      buttons.place.hidden = place >= 0;
      for (const name of ["up", "down", "tie", "remove"]) buttons[name].hidden = place < 0;
      buttons.tie.hidden ||= !ties;
      buttons.up.disabled = disabled || (!tied && place === 0);
      buttons.down.disabled = disabled || (!tied && place === groups.length - 1);
      buttons.tie.disabled = disabled || (!tied && place === 0);
      const label = tied ? strings.untie : strings.tie;
      buttons.tie.title = label;
      buttons.tie.setAttribute("aria-label", `${label}: ${say(strings.text, { n: at + 1 })}`);
      buttons.tie.setAttribute("aria-pressed", String(tied));
    }
  }

  // ── dragging ──
  function dragged(event) {
    if (!drag) return;
    const { element } = cards[drag.at];
    drag.moved ||= Math.abs(event.clientY - drag.y) > 4;
    if (!drag.moved) return;
    element.classList.add("dragged");
    element.style.translate = `0 ${event.clientY - drag.y}px`;
    const to = above(drag.at, event.clientY).length;
    for (const { element: other } of cards) other.classList.remove("before", "after");
    const others = groups.flat().filter((at) => at !== drag.at);
    if (to < others.length) cards[others[to]].element.classList.add("before");
    else if (others.length) cards[others.at(-1)].element.classList.add("after");
  }

  function dropped(event) {
    if (!drag) return;
    const { at, moved } = drag;
    drag = null;
    for (const { element } of cards) element.classList.remove("before", "after", "dragged");
    cards[at].element.style.translate = "";
    if (!moved || event.type === "pointercancel") return;
    const to = targetOf(at, event.clientY);
    take(at);
    groups.splice(to, 0, [at]);
    changed(at, "drag");
  }

  // The texts whose middle is above this height.
  function above(moving, y) {
    return groups.flat().filter((at) => {
      const { top, bottom } = cards[at].element.getBoundingClientRect();
      return at !== moving && (top + bottom) / 2 < y;
    });
  }

  // The place among the ranks without the text that moves. A text never lands inside a tie.
  function targetOf(moving, y) {
    const passed = above(moving, y);
    const others = groups.map((group) => group.filter((at) => at !== moving)).filter((group) => group.length);
    return others.filter((group) => group.every((at) => passed.includes(at))).length;
  }

  const missing = (next) => texts.findIndex((_, at) => !next?.ranks?.[at]);

  return {
    heading: () => [content.ask],
    setValue(next) {
      groups = groupsOf(next);
      render();
    },
    key({ key }) {
      const at = cards.findIndex(({ element }) => element.contains(document.activeElement));
      const number = /^[1-9]$/.test(key) ? Number(key) - 1 : -1;
      if (number >= 0 && number < texts.length) {
        if (groupOf(number) < 0) act("place", number);
        else (cards[number].buttons.up.disabled ? cards[number].element : cards[number].buttons.up).focus();
        return true;
      }
      const action = { ArrowUp: "up", ArrowDown: "down", t: "tie", T: "tie", Backspace: "remove", Delete: "remove" }[key];
      if (!action || at < 0 || groupOf(at) < 0) return false;
      act(action, at);
      return true;
    },
    complete: (next) => missing(next) < 0,
    refuse(next) {
      const at = missing(next);
      cards[at].buttons.place.focus();
      return say(strings.missingRank, { n: at + 1 });
    },
    feedback: (place, compared) => feedback(place, compared, { content, strings, language, direction }),
    destroy() {
      for (const [name, listener] of Object.entries(listeners)) document.removeEventListener(name, listener);
      root.replaceChildren();
    },
  };
}

// ── both ────────────────────────────────────────────────────────────────────────────────────────────────────────
function feedback(place, { given, expected }, { content, strings, language, direction }) {
  const cells = (answer, at) => answer?.ratings?.[at] ?? [answer?.ranks?.[at] ?? null];
  const differs = (at) => cells(expected, at).some((cell, n) => cell !== null && cell !== cells(given, at)[n]);
  const wrong = content.texts.map((_, at) => at).filter(differs);
  const rows = wrong.map((at) =>
    h(
      "li",
      { class: "panel" },
      textOf(content.texts[at], language, direction),
      h("p", {}, h("b", {}, strings.expected), `: ${words(content, expected, at, strings)}`),
      h("p", {}, h("b", {}, strings.own), `: ${words(content, given, at, strings)}`),
    ),
  );
  place.replaceChildren(h("ul", { class: "rating-seen" }, ...rows));
  return wrong.length ? say(strings.differs, { n: wrong.length, total: content.texts.length }) : "";
}

function words(content, value, at, strings) {
  if (value?.ranks) return value.ranks[at] ? say(strings.rank, { n: value.ranks[at] }) : strings.noRank;
  return content.scales.map(({ name }, place) => `${name} ${value?.ratings?.[at]?.[place] ?? "–"}`).join(", ");
}

function contextOf({ context }, language, direction) {
  return context ? [h("p", { class: "sent context", lang: language, dir: direction }, context)] : [];
}

function textOf(text, language, direction) {
  return h("p", { class: "sent", lang: language, dir: direction }, text);
}

function say(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}
