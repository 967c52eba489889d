// The geometry of a board: the measured boxes of nodes, the curves between the nodes, and the objects under a point.
// The module does not depend on writing directions, because a row from right to left is measured in the same way. All
// coordinates are pixels from the top left of the board.

import { runs } from "./blocks.js";
import { ends } from "./state.js";

const CLEAR = 9; // between a node and the end of its links, in rows
const PORT = 16; // between the ends of one node's links, in rows
const BEND = 0.46;
const STEPS = 16; // number of straight segments that represent a curve in hit tests

export function createScene(board) {
  let boxes = [[], []];
  let rows = true;
  let curves = new Map(); // pair → {from, to, points()}; of a block also {area, edges, outline}

  function measure(nodes, inRows) {
    const { left, top } = board.getBoundingClientRect();
    rows = inRows;
    boxes = nodes.map((side) => side.map((node) => moved(node.getBoundingClientRect(), left, top)));
  }

  // Calculate a curve for each link, and a band for each block. In rows, the links of a node start side by side, in the
  // order of their targets.
  function lay(links) {
    const [blocks, single] = [links.filter(({ pairs }) => pairs), links.filter(({ pairs }) => !pairs)];
    const pairs = single.map(({ pair }) => pair);
    const places = pairs.map((pair) => ends(pair).map((index, side) => port({ side, index })));
    if (rows) spread(pairs, places);
    curves = new Map([
      ...blocks.map((block) => [block.pair, band(block)]),
      ...pairs.map((pair, at) => [pair, line(curves.get(pair), ...places[at])]),
    ]);
    return curves;
  }

  // The curve of a link, or the same one as before if its ends have not moved.
  function line(before, from, to) {
    const stays = before && !before.outlines && far(before.from, from) === 0 && far(before.to, to) === 0;
    return stays ? before : { ...curve(from, to), from, to };
  }

  // A ribbon connects each run of neighbouring nodes on one side with each run on the other side.
  function band({ sides }) {
    const edges = sides.map((indexes, side) => runs(indexes).map(([first, last]) => edge(side, first, last)));
    const ribbons = edges[0].flatMap((one) => edges[1].map((other) => ribbon(one, other)));
    const middles = edges.map((all) => between(all[0][0], all.at(-1)[1]));
    return {
      ...curve(...middles),
      from: middles[0],
      to: middles[1],
      area: ribbons.map(({ path }) => path).join(""),
      edges: ribbons.map(({ sides: along }) => along).join(""),
      brackets: edges.flatMap((all) => all.map(([a, b]) => `M${xy(a)}L${xy(b)}`)).join(""),
      outlines: ribbons.map(({ outline }) => outline),
    };
  }

  // The two corners of a run of nodes, on the edge that faces the other side.
  function edge(side, first, last) {
    const [a, b] = [first, last].map((index) => port({ side, index }));
    const [one, other] = [boxes[side][first], boxes[side][last]];
    if (!rows)
      return [
        { x: a.x, y: one.top + 2 },
        { x: b.x, y: other.bottom - 2 },
      ];
    const [left, right] = [Math.min(one.left, other.left), Math.max(one.right, other.right)];
    return [
      { x: left + 2, y: a.y },
      { x: right - 2, y: b.y },
    ];
  }

  function ribbon([a, b], [c, d]) {
    const [one, other] = [curve(a, c), curve(b, d)];
    const back = curve(d, b);
    return {
      path: `${one.path}L${xy(d)}${back.path.slice(back.path.indexOf("C"))}Z`,
      sides: one.path + other.path,
      outline: once(() => [...one.points(), ...other.points().toReversed()]),
    };
  }

  // The point from which links leave a node: on the edge that faces the other side.
  function port({ side, index }) {
    const box = boxes[side][index];
    if (rows) return { x: box.x, y: side ? box.top - CLEAR : box.bottom + CLEAR };
    const faces = boxes[1 - side][0].x > box.x ? "right" : "left";
    return { x: box[faces], y: box.y };
  }

  function spread(pairs, places) {
    for (const side of [0, 1]) {
      const fans = boxes[side].map(() => []);
      pairs.forEach((pair, at) => fans[ends(pair)[side]].push(at));
      for (const [index, fan] of fans.entries()) {
        const { left, right } = boxes[side][index];
        const gap = Math.min(PORT, (right - left - CLEAR) / fan.length);
        const sorted = fan.sort((a, b) => places[a][1 - side].x - places[b][1 - side].x);
        sorted.forEach((at, place) => (places[at][side].x += (place - (fan.length - 1) / 2) * gap));
      }
    }
  }

  function curve(a, b) {
    const [along, across] = rows ? [0, BEND * (b.y - a.y)] : [BEND * (b.x - a.x), 0];
    const [c, d] = [
      { x: a.x + along, y: a.y + across },
      { x: b.x - along, y: b.y - across },
    ];
    return { path: `M${xy(a)}C${xy(c)} ${xy(d)} ${xy(b)}`, points: once(() => pointsOn(a, c, d, b)) };
  }

  return {
    measure,
    lay,
    port,
    curve,

    point({ clientX, clientY }) {
      const { left, top } = board.getBoundingClientRect();
      return { x: clientX - left, y: clientY - top };
    },

    // The nearest node within `reach` of a point, or null.
    nodeAt(point, reach) {
      return nearest(allNodes(), reach, ({ side, index }) => toBox(point, boxes[side][index]));
    },

    // The nearest link within `reach` of a point, otherwise the block whose band is there, or null.
    linkAt(point, reach) {
      const lines = [...curves].filter(([, curve]) => !curve.outlines && toEnds(point, curve) <= reach);
      const bands = [...curves].filter(([, { outlines }]) => outlines?.some((each) => inside(point, each())));
      return (nearest(lines, reach, ([, { points }]) => toLine(point, points())) ?? bands.at(-1))?.[0] ?? null;
    },

    // The end {pair, side} of the link that is nearest, if the point is within `reach` of its end; or null.
    endAt(point, reach) {
      const all = [...curves].filter(([, { outlines }]) => !outlines);
      const near = all.flatMap(([pair, { from, to }]) =>
        [from, to].flatMap((end, side) => (far(point, end) <= reach ? [{ pair, side }] : [])),
      );
      return nearest(near, Infinity, ({ pair }) => toLine(point, curves.get(pair).points()));
    },

    curveOf: (pair) => curves.get(pair),

    nodesIn(a, b) {
      const [left, right] = [Math.min(a.x, b.x), Math.max(a.x, b.x)];
      const [top, bottom] = [Math.min(a.y, b.y), Math.max(a.y, b.y)];
      return allNodes().filter(({ side, index }) => {
        const box = boxes[side][index];
        return box.left < right && box.right > left && box.top < bottom && box.bottom > top;
      });
    },

    // The node that an arrow key leads to: the next one of the side, or the nearest of the other side; or null.
    neighbour({ side, index }, key) {
      const axis = key === "ArrowLeft" || key === "ArrowRight" ? "x" : "y";
      const sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
      const here = boxes[side][index];
      if ((axis === "x") === rows) {
        const runs = boxes[side].length > 1 && boxes[side][1][axis] < boxes[side][0][axis] ? -1 : 1;
        return boxes[side][index + sign * runs] ? { side, index: index + sign * runs } : null;
      }
      const other = 1 - side;
      if ((boxes[other][0][axis] - here[axis]) * sign <= 0) return null;
      const along = rows ? "x" : "y";
      return nearest(nodesOf(other), Infinity, (node) => Math.abs(boxes[other][node.index][along] - here[along]));
    },
  };

  function nodesOf(side) {
    return boxes[side].map((_, index) => ({ side, index }));
  }

  function allNodes() {
    return [...nodesOf(0), ...nodesOf(1)];
  }
}

function moved({ left, right, top, bottom }, dx, dy) {
  const box = { left: left - dx, right: right - dx, top: top - dy, bottom: bottom - dy };
  return { ...box, x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
}

function between(a, b) {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function far(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

// Whether a line from the point to the right crosses the outline an odd number of times.
function inside({ x, y }, outline) {
  const crossed = outline.filter((a, at) => {
    const b = outline[(at + 1) % outline.length];
    return a.y > y !== b.y > y && x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x);
  });
  return crossed.length % 2 === 1;
}

function nearest(things, reach, distance) {
  let [best, least] = [null, reach];
  for (const thing of things) {
    const far = distance(thing);
    if (far <= least) [best, least] = [thing, far];
  }
  return best;
}

function toBox({ x, y }, { left, right, top, bottom }) {
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}

// The distance to the box between the ends of a curve, which the curve does not leave.
function toEnds(point, { from, to }) {
  const [[left, right], [top, bottom]] = ["x", "y"].map((axis) => [from[axis], to[axis]].sort((a, b) => a - b));
  return toBox(point, { left, right, top, bottom });
}

function toLine(point, points) {
  let least = Infinity;
  for (let at = 1; at < points.length; at++) least = Math.min(least, toPiece(point, points[at - 1], points[at]));
  return least;
}

function toPiece(point, a, b) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const along = ((point.x - a.x) * dx + (point.y - a.y) * dy) / (dx * dx + dy * dy || 1);
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(a.x + t * dx - point.x, a.y + t * dy - point.y);
}

// Most curves are only drawn. Their points are calculated when a press or a sign needs them.
function once(calculate) {
  let result = null;
  return () => (result ??= calculate());
}

function pointsOn(a, c, d, b) {
  return Array.from({ length: STEPS + 1 }, (_, step) => onCurve(step / STEPS, a, c, d, b));
}

function onCurve(t, a, c, d, b) {
  const s = 1 - t;
  const at = (axis) => s * s * s * a[axis] + 3 * s * s * t * c[axis] + 3 * s * t * t * d[axis] + t * t * t * b[axis];
  return { x: at("x"), y: at("y") };
}

function xy({ x, y }) {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}
