// The label of each link on its curve: type | score. Labels never overlap: each label takes the free position on its
// curve that is closest to the middle, or the nearest free position beside the curve. On a phone, the labels are below
// each other. The labels are buttons with one tab stop.

import { h, targetOf } from "../js/annotate/dom.js";
import { inOrder } from "../pairs/state.js";

const GAP = 4; // px between labels
const ENDS = 3; // of a curve's points at either end: too near to a chunk
const ASIDE = 9; // px: the step of a search beside the curve
const FARTHEST = 400;

// act: choose(pair, via), lit(pair or null), or null in a picture. label: the label of the group.
export function createPills(label, act) {
  const element = h("div", {
    class: "pills",
    role: act ? "group" : null,
    "aria-label": act ? label : null,
    onkeydown: walk,
  });
  const pills = new Map(); // pair → element
  let stop = null; // the pair with the tab stop
  for (const name of act ? ["pointerdown", "pointermove"] : [])
    element.addEventListener(name, (event) => event.stopPropagation());
  // A press with the mouse does not move the focus, so Enter still goes to the next question.
  if (act) element.addEventListener("mousedown", (event) => event.preventDefault());
  if (act)
    element.addEventListener("pointerover", (event) => event.pointerType !== "touch" && act.lit(pairOf(event.target)));

  // of(pair): {parts, words, look, chosen}, where `parts` is visible and `words` is for screen readers
  function render(pairs, of) {
    const sorted = inOrder(pairs).map((ends) => ends.join("-"));
    for (const [pair, pill] of pills) {
      if (sorted.includes(pair)) continue;
      pill.remove();
      pills.delete(pair);
    }
    if (!sorted.includes(stop)) stop = sorted[0] ?? null;
    for (const pair of sorted) {
      const pill = pills.get(pair) ?? make(pair);
      const { parts, words, look, chosen } = of(pair);
      if (chosen) stop = pair;
      pill.className = `pill ${look}${chosen ? " chosen" : ""}`;
      pill.replaceChildren(...parts, ...(words ? [h("span", { class: "sr" }, ` ${words}`)] : []));
      if (act) pill.setAttribute("aria-pressed", chosen);
    }
    const now = sorted.map((pair) => pills.get(pair));
    if (now.some((pill, at) => pill !== element.children[at])) element.replaceChildren(...now);
    for (const [pair, pill] of pills) if (act) pill.tabIndex = pair === stop ? 0 : -1;
  }

  function make(pair) {
    const button = {
      type: "button",
      onclick: () => act.choose(pair),
      onfocus: (event) => event.target.matches(":focus-visible") && act.choose(pair),
    };
    const pill = act ? h("button", button) : h("span", { "data-part": pair });
    pills.set(pair, pill);
    return pill;
  }

  function walk(event) {
    const all = /** @type {HTMLElement[]} */ ([...element.children]);
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    all[(all.indexOf(targetOf(event)) + by + all.length) % all.length].focus();
  }

  function pairOf(target) {
    const pill = target.closest?.(".pill");
    return [...pills].find(([, each]) => each === pill)?.[0] ?? null;
  }

  function lay(shown, curves) {
    const board = { width: element.parentElement.clientWidth, height: element.parentElement.clientHeight };
    const labels = shown.map(({ pair }) => ({ pill: pills.get(pair), curve: curves.get(pair) }));
    for (const label of labels)
      Object.assign(label, { width: label.pill.offsetWidth, height: label.pill.offsetHeight });
    for (const { pill, left, top } of isNarrow(labels) ? stacked(labels, board) : spread(labels, board)) {
      pill.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
    }
  }

  function light(pairs) {
    for (const [pair, pill] of pills) pill.classList.toggle("on", Boolean(pairs?.has(pair)));
  }

  return {
    element,
    render,
    lay,
    light,
    focus: (pair) => pills.get(pair)?.focus(),
    focused: () => pairOf(document.activeElement),
  };
}

// Between columns with space for only one label.
function isNarrow(labels) {
  return labels.some(
    ({ curve, width }) => !acrossRows(curve) && Math.abs(curve.to.x - curve.from.x) < 2 * width + 3 * GAP,
  );
}

// A curve starts perpendicular to its row or column.
function acrossRows({ points, from }) {
  const [, second] = points();
  return Math.abs(second.y - from.y) > Math.abs(second.x - from.x);
}

function middle({ points }) {
  return points().at((points().length - 1) / 2);
}

// The labels are below each other in the order of their curves and as close to them as possible: halfway between the
// positions that result from moving all labels down and from moving all labels up.
function stacked(labels, board) {
  const sorted = [...labels].sort((a, b) => middle(a.curve).y - middle(b.curve).y);
  const pitch = Math.max(...labels.map(({ height }) => height)) + GAP;
  const wanted = sorted.map(({ curve, height }) => middle(curve).y - height / 2);
  const down = [];
  for (const top of wanted) down.push(Math.max(top, (down.at(-1) ?? -Infinity) + pitch));
  const up = [];
  for (const top of wanted.toReversed()) up.push(Math.min(top, (up.at(-1) ?? Infinity) - pitch));
  up.reverse();
  return sorted.map(({ pill, curve, width }, at) => {
    const lowest = board.height - (sorted.length - at) * pitch;
    const top = Math.min(lowest, Math.max(at * pitch, (down[at] + up[at]) / 2));
    return { pill, left: middle(curve).x - width / 2, top };
  });
}

// Each label takes its best free position. Short curves come first, because labels of long curves have other positions.
function spread(labels, board) {
  const length = ({ curve: { from, to } }) => Math.hypot(to.x - from.x, to.y - from.y);
  const placed = [];
  for (const label of [...labels].sort((a, b) => length(a) - length(b))) {
    placed.push({ pill: label.pill, ...free(places(label), placed, board) });
  }
  return placed;
}

// Possible boxes for a label, best first: along the curve from its middle, then beside the curve, but never over a
// chunk.
function* places({ curve, width, height }) {
  const { from, to } = curve;
  const points = curve.points();
  const half = (points.length - 1) / 2;
  const rows = acrossRows(curve);
  const [low, high] = rows ? [from.y, to.y] : [Math.min(from.x, to.x) + width / 2, Math.max(from.x, to.x) - width / 2];
  const between = (at) => (low + GAP < high - GAP ? Math.min(high - GAP, Math.max(low + GAP, at)) : (low + high) / 2);
  const box = (point) => {
    const [x, y] = [rows ? point.x : between(point.x), point.y];
    return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
  };
  for (let off = 0; off <= half - ENDS; off++) {
    yield box(points[half - off]);
    if (off) yield box(points[half + off]);
  }
  const beside = [half, half - ENDS, half + ENDS, ENDS, 2 * half - ENDS].map((at) => points[at]);
  for (let off = ASIDE; off <= FARTHEST; off += ASIDE) {
    for (const { x, y } of beside) for (const by of [off, -off]) yield box(rows ? { x: x + by, y } : { x, y: y + by });
  }
}

// The first box on the board that does not overlap another label, or the last box if there is no space.
function free(boxes, others, { width, height }) {
  const inside = ({ left, right, top, bottom }) => left >= 0 && right <= width && top >= 0 && bottom <= height;
  let last = null;
  for (last of boxes) if (inside(last) && others.every((other) => apart(last, other))) return last;
  return last;
}

function apart(a, b) {
  return a.right + GAP <= b.left || b.right + GAP <= a.left || a.bottom + GAP <= b.top || b.bottom + GAP <= a.top;
}
