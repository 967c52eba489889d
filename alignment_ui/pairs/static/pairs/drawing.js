// Links as SVG. Each pair keeps its element, and only changes are drawn. Colour is never the only difference: sure
// links are solid with filled ends, possible links are dashed with rings, and differences have a sign.

const NS = "http://www.w3.org/2000/svg";
const SIGN_AT = 5; // of a curve's points: a third of the way, where few links cross
const HALF = 7.5; // px: half the height of a sign
const ENDS = 2; // points at either end of a curve, too near to a word for letters
const PLUS = "M-3.5 0h7M0-3.5v7";
const SIGNS = {
  added: PLUS,
  removed: "M-3-3l6 6M3-3l-6 6",
  changed: "M-3.5-1.8h7M-3.5 1.8h7M2-4l-4 8",
  missed: PLUS, // expected, not given
  extra: "M-3.5 0h7", // given, not expected
};

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function createDrawing() {
  // Dimming one layer instead of each link lets the browser keep what it has painted. For the same reason, links that
  // are raised are drawn once more, and the links below are not touched.
  const [low, raised] = ["links", "links raised"].map((name) => svg("svg", { class: name, "aria-hidden": "true" }));
  const ties = new Map(); // key → elements
  const copies = new Map(); // the same of all links that have been raised
  let shown = [];

  // links: [{pair, look, mark, by, layer}] from the lowest to the highest, at the positions from the scene; `by`:
  // letters to show on the link; `layer`: 0 or nothing, or 1 for a second line over the same pair. A block also has `pairs`.
  // Returns their curves. `light` must follow.
  function draw(links, scene) {
    const curves = scene.lay(links.filter(({ layer }) => !layer));
    const taken = [];
    shown = links.map((link) => {
      const curve = curves.get(link.pair);
      return { link, key: keyOf(link), curve, at: link.by ? lettersAt(curve, link.by, taken) : SIGN_AT };
    });
    const keys = new Set(shown.map(({ key }) => key));
    for (const key of ties.keys()) if (!keys.has(key)) remove(key);
    const groups = shown.map((each) => drawn(each, ties).group);
    stack(groups, low);
    return curves;
  }

  function drawn({ link, key, curve, at }, elements) {
    const tie = elements.get(key) ?? create(link, elements === ties);
    elements.set(key, tie);
    tie.show(curve, link.look, link.mark, link.by, at);
    return tie;
  }

  function create({ pair, pairs, sides }, isPart) {
    const tie = pairs ? createBand(sides) : createTie();
    if (isPart) tie.group.dataset.part = pairs ? pairs.join(" ") : pair;
    return tie;
  }

  function remove(key) {
    for (const elements of [ties, copies]) {
      elements.get(key)?.group.remove();
      elements.delete(key);
    }
  }

  // Raise the links of these pairs; null raises none and dims none. `selected` are pairs whose ends are drawn larger.
  function light(pairs, selected = []) {
    low.classList.toggle("dim", pairs !== null);
    const up = pairs ? shown.filter(({ link }) => pairs.has(link.pair)) : [];
    const on = new Map(
      up.map((each) => [drawn(each, copies), selected.includes(each.link.pair) ? " on selected" : " on"]),
    );
    for (const copy of copies.values()) copy.light(on.get(copy) ?? "");
    stack(
      [...on.keys()].map(({ group }) => group),
      raised,
    );
  }

  return { elements: [low, raised], draw, light };
}

// Put elements into a layer in this order. Elements that are in order are not moved, because the browser would style them
// again.
function stack(groups, layer) {
  const stacked = new Set(groups);
  let next = layer.firstChild;
  for (const group of groups) {
    while (next && !stacked.has(next)) next = next.nextSibling;
    if (group === next) next = next.nextSibling;
    else layer.insertBefore(group, next);
  }
}

function keyOf({ pair, pairs, layer }) {
  return pairs ? pairs.join() : `${pair}${layer ? " over" : ""}`;
}

export function createTie() {
  const line = svg("path", { class: "line" });
  const ends = [svg("circle", { r: 4 }), svg("circle", { r: 4 })];
  return createLink("tie", [line, ...ends], {
    lay({ path, from, to }) {
      line.setAttribute("d", path);
      [from, to].forEach(({ x, y }, at) => place(ends[at], x, y));
    },
    signOn: (laid, mark, by, at) => (SIGNS[mark] || by ? signOf(mark, by, laid.points()[at]) : null),
  });
}

// A block is an area with two edges, a bracket at each end, and its size in the middle.
function createBand([firsts, seconds]) {
  const [area, edges, brackets] = ["area", "line", "brackets"].map((name) => svg("path", { class: name }));
  return createLink("tie band", [area, edges, brackets], {
    lay(laid) {
      area.setAttribute("d", laid.area);
      edges.setAttribute("d", laid.edges);
      brackets.setAttribute("d", laid.brackets);
    },
    signOn: (laid, mark) =>
      signOf(mark, `${firsts.length} × ${seconds.length}`, laid.points().at(laid.points().length >> 1)),
  });
}

// The shapes of a link, and its sign, if any. Only what has changed is written.
function createLink(kind, shapes, { lay, signOn }) {
  const group = svg("g", {}, ...shapes);
  let classes = "";
  let highlight = "";
  let where = "";
  let signed = "";
  let sign = null;

  function show(laid, look, mark = "", by = "", at = SIGN_AT) {
    write(`${kind} ${look} ${mark}`, highlight);
    const place = laid.area ?? laid.path;
    if (where === place && signed === mark + by + at) return;
    if (where !== place) lay(laid);
    [where, signed] = [place, mark + by + at];
    sign?.remove();
    sign = signOn(laid, mark, by, at);
    if (sign) group.append(sign);
  }

  function write(own, lit) {
    if (own + lit !== classes + highlight) group.setAttribute("class", own + lit);
    [classes, highlight] = [own, lit];
  }

  return { group, show, light: (lit) => write(classes, lit) };
}

// The point of a curve for its letters: the one nearest to a third of the way at which they cover none of the letters
// `taken` so far, or a third of the way.
function lettersAt({ points }, by, taken) {
  const half = halfOf(by);
  const places = points()
    .map((point, at) => ({ ...point, at, half }))
    .slice(ENDS, -ENDS)
    .sort((a, b) => Math.abs(a.at - SIGN_AT) - Math.abs(b.at - SIGN_AT));
  const isFree = (one) =>
    taken.every((other) => Math.abs(one.x - other.x) > half + other.half || Math.abs(one.y - other.y) > 2 * HALF);
  const best = places.find(isFree) ?? places[0];
  taken.push(best);
  return best.at;
}

function halfOf(by) {
  return HALF + 4 * Math.max(0, by.length - 1);
}

function signOf(mark, by, { x, y }) {
  const inside = by ? svg("text", { y: 4 }, by) : svg("path", { d: SIGNS[mark] });
  const half = halfOf(by);
  const outline = svg("rect", { x: -half, y: -HALF, width: 2 * half, height: 2 * HALF, rx: HALF });
  const sign = svg("g", { class: "sign" }, outline, inside);
  sign.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  return sign;
}

function place(circle, x, y) {
  circle.setAttribute("cx", x.toFixed(1));
  circle.setAttribute("cy", y.toFixed(1));
}

// A sample of a look, for legends.
export function sample(look, mark = "") {
  const tie = createTie();
  const points = Array.from({ length: SIGN_AT + 1 }, () => ({ x: 22, y: 8 }));
  tie.show({ path: "M5 8H39", points: () => points, from: { x: 5, y: 8 }, to: { x: 39, y: 8 } }, look, mark);
  return svg("svg", { viewBox: "0 0 44 16", "aria-hidden": "true" }, tie.group);
}
