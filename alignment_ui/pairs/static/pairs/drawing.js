// Links as SVG. Each pair keeps its element, and only changes are drawn. Colour is never the only difference: sure
// links are solid with filled ends, possible links are dashed with rings, and differences have a sign.

const NS = "http://www.w3.org/2000/svg";
const SIGN_AT = 5; // of a curve's points: a third of the way, where few links cross
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
  // Dimming one layer instead of each link lets the browser keep what it has painted.
  const [low, raised] = ["links", "links raised"].map((name) => svg("svg", { class: name, "aria-hidden": "true" }));
  const ties = new Map(); // key → elements
  let shown = [];
  let lighted = null; // the raised pairs, or null

  // links: [{pair, look, mark, by, layer}] from the lowest to the highest, at the positions from the scene; `by`:
  // letters to show on the link; `layer`: 0 or nothing, or 1 for a second line over the same pair. A block also has `pairs`.
  // Returns their curves. `light` puts them into their layers.
  function draw(links, scene) {
    const curves = scene.lay(links.filter(({ layer }) => !layer));
    const gone = new Set(ties.keys());
    for (const link of links) {
      const key = keyOf(link);
      gone.delete(key);
      const tie = ties.get(key) ?? createLink(link);
      ties.set(key, tie);
      tie.show(curves.get(link.pair), link.look, link.mark, link.by);
    }
    for (const key of gone) {
      ties.get(key).group.remove();
      ties.delete(key);
    }
    shown = links.map((link) => ({ pair: link.pair, tie: ties.get(keyOf(link)) }));
    return curves;
  }

  // Raise the links of these pairs; null raises none and dims none. `selected` are pairs whose ends are drawn larger.
  function light(pairs, selected = []) {
    lighted = pairs;
    low.classList.toggle("dim", pairs !== null);
    for (const { pair, tie } of shown)
      tie.light(`${pairs?.has(pair) ? " on" : ""}${selected.includes(pair) ? " selected" : ""}`);
    stack();
  }

  // Put each link into its layer in the order of `shown`. Links that are in place are not moved, because the browser
  // would style them again.
  function stack() {
    const next = new Map([low, raised].map((layer) => [layer, layer.firstChild]));
    for (const { pair, tie } of shown) {
      const { group } = tie;
      const layer = lighted?.has(pair) ? raised : low;
      const isInPlace = next.get(layer) === group;
      for (const [each, following] of next) if (following === group) next.set(each, group.nextSibling);
      if (!isInPlace) layer.insertBefore(group, next.get(layer));
    }
  }

  return { elements: [low, raised], draw, light };
}

function createLink({ pair, pairs, sides }) {
  const link = pairs ? createBand(sides) : createTie();
  link.group.dataset.part = pairs ? pairs.join(" ") : pair;
  return link;
}

function keyOf({ pair, pairs, layer }) {
  return pairs ? pairs.join() : `${pair}${layer ? " over" : ""}`;
}

export function createTie() {
  const line = svg("path", { class: "line" });
  const ends = [svg("circle", { r: 4 }), svg("circle", { r: 4 })];
  const group = svg("g", {}, line, ...ends);
  const { look: classed, light } = createClasses(group);
  let sign = null;
  let where = null;
  let shown = "";

  function show(laid, look, mark = "", by = "") {
    const classes = `tie ${look} ${mark}`;
    if (where === laid && shown === classes + by) return;
    where = laid;
    shown = classes + by;
    classed(classes);
    line.setAttribute("d", laid.path);
    [laid.from, laid.to].forEach(({ x, y }, at) => place(ends[at], x, y));
    sign?.remove();
    sign = SIGNS[mark] || by ? signOf(mark, by, laid.points()[by ? lettersAt(laid) : SIGN_AT]) : null;
    if (sign) group.append(sign);
  }

  return { group, show, light };
}

// The classes of a link: those of its look, and those of its being highlighted. Only changes are written.
function createClasses(group) {
  let [own, lit] = ["", ""];
  const write = (look, light) => {
    if (look === own && light === lit) return;
    [own, lit] = [look, light];
    group.setAttribute("class", own + lit);
  };
  return { look: (classes) => write(classes, lit), light: (classes) => write(own, classes) };
}

// A block is an area with two edges, a bracket at each end, and its size in the middle.
function createBand([firsts, seconds]) {
  const parts = { area: svg("path", { class: "area" }), edges: svg("path", { class: "line" }) };
  const brackets = svg("path", { class: "brackets" });
  const group = svg("g", {}, parts.area, parts.edges, brackets);
  const { look: classed, light } = createClasses(group);
  let sign = null;
  let shown = "";

  function show(laid, look, mark = "") {
    const classes = `tie band ${look} ${mark}`;
    if (shown === classes + laid.area) return;
    shown = classes + laid.area;
    classed(classes);
    parts.area.setAttribute("d", laid.area);
    parts.edges.setAttribute("d", laid.edges);
    brackets.setAttribute("d", laid.brackets);
    sign?.remove();
    sign = signOf(mark, `${firsts.length} × ${seconds.length}`, laid.points().at(laid.points().length >> 1));
    group.append(sign);
  }

  return { group, show, light };
}

// The letters of neighbouring links are at different heights.
function lettersAt({ from, to }) {
  return 3 + 2 * (Math.round((from.x + from.y + to.x + to.y) / 12) % 4);
}

function signOf(mark, by, { x, y }) {
  const inside = by ? svg("text", { y: 4 }, by) : svg("path", { d: SIGNS[mark] });
  const half = 7.5 + 4 * Math.max(0, by.length - 1);
  const outline = svg("rect", { x: -half, y: -7.5, width: 2 * half, height: 15, rx: 7.5 });
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
