// One or two figures against judgements: their lines, the band between two of them, and the target if there is one.
// The figures of `present`, an index of the points, are marked and labelled. `present` is the last point by default.
// Two lines are two methods: the first is dashed and the second is solid, both in a neutral colour. The legend names
// them. A single line is ink.
import { axisX, axisY, coefficient, count, countTicks, frame, gridY, label, Plot, ticks } from "./frame.js";

const INK = { voice: "ki", line: "ln", dot: "dot", r: 4.5 };
const SOLID = { voice: "k", line: "ln1", dot: "dot1", r: 4.5 };
const DASHED = { voice: "k", line: "ln2", dot: "ring", r: 4 };

export function band({ points, axes, target, present = points.length - 1 }, width) {
  const now = points[present];
  const looks = now.values.length === 2 ? [DASHED, SOLID] : [INK];
  const both = points.filter(({ values }) => values.length === 2 && values.every((value) => value !== null));
  const all = points.flatMap(({ values }) => values).filter((value) => value !== null);
  if (target !== null) all.push(target);
  const most = Math.max(...points.map((point) => point.judgements));
  const narrow = width < 420;
  const low = Math.min(...all);
  const high = Math.max(...all);
  // The order is from last to first, so that the label of the larger figure is above the other if the labels are close.
  const ends = looks.map((look, at) => ({ ...look, at, value: now.values[at] })).reverse();
  const told = ends.filter(({ value }) => value !== null);
  const close = told.length === 2 && Math.abs(told[0].value - told[1].value) < 0.09 * (high - low + 0.1);
  const bottom = Math.max(-1, Math.floor((low - 0.03) * 10) / 10);
  const top = Math.min(1, Math.ceil((high + 0.03) * 20) / 20);
  const steps = ticks(bottom, top, 5, coefficient);
  return frame({
    axes,
    width,
    height: Math.min(300, Math.max(200, 0.52 * width)),
    marginRight: 48,
    marginLeft: 38,
    x: { domain: [0, most * (narrow ? 1 : 1.02)] },
    y: { domain: [bottom, top] },
    marks: [
      gridY({ ticks: steps }),
      axisY({ ticks: steps, tickFormat: (value) => coefficient(value) }),
      axisX({ ticks: countTicks(most, narrow ? 3 : 5), tickFormat: count }),
      Plot.areaY(both, {
        x: "judgements",
        y1: ({ values }) => values[0],
        y2: ({ values }) => values[1],
        className: "band",
      }),
      ...(target === null
        ? []
        : [
            Plot.ruleY([target], { className: "rule" }),
            label(`target ${coefficient(target)}`, {
              x: 0,
              y: target,
              textAnchor: "start",
              lineAnchor: "bottom",
              dx: 5,
              dy: -5,
            }),
          ]),
      ...ends.map(({ at, line }) =>
        Plot.lineY(points, { x: "judgements", y: ({ values }) => values[at], className: line }),
      ),
      ...told.map(({ value, dot, r }) =>
        Plot.dot([{ x: now.judgements, y: value }], { x: "x", y: "y", r, className: dot }),
      ),
      ...told.map(({ value, voice }, place) =>
        label(coefficient(value, 3), {
          x: now.judgements,
          y: value,
          voice,
          textAnchor: "start",
          dx: 10,
          dy: close ? [-7, 7][place] : 0,
        }),
      ),
    ],
  });
}
