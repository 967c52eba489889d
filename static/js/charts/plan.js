// A predicted figure of a plan against the cost or the number of answers, with its 95% prediction interval. Each point is
// labelled with its number of answers per question. Dashed lines show the target, and the budget if it is near.
import { axisX, axisY, coefficient, count, countTicks, frame, gridY, label, Plot, ticks } from "./frame.js";

const STEPS = 5;
const FAR = 1.5;

export function plan({ points, target, budget, zero, axes }, width) {
  const known = points.filter(({ value }) => value !== null);
  const values = known.flatMap(({ value, low, high }) => [value, low, high]);
  if (target !== null) values.push(target);
  const low = Math.min(...values);
  const high = Math.max(...values);
  const bottom = zero ? 0 : Math.max(-1, Math.floor((low - 0.02) * 20) / 20);
  const top = zero ? 1.15 * high : Math.min(1, Math.ceil((high + 0.02) * 20) / 20);
  const largest = Math.max(...points.map(({ x }) => x));
  const isNear = budget !== null && budget <= FAR * largest; // a distant budget would squeeze the points together
  const most = 1.06 * Math.max(isNear ? budget : 0, largest);
  const figure = (value) => coefficient(value, zero ? 3 : 2);
  const steps = ticks(bottom, top, STEPS, figure);
  return frame({
    axes,
    width,
    height: Math.min(280, Math.max(200, 0.52 * width)),
    marginRight: 24,
    x: { domain: [0, most] },
    y: { domain: [bottom, top] },
    marks: [
      gridY({ ticks: steps }),
      axisY({ ticks: steps, tickFormat: figure }),
      axisX({ ticks: countTicks(most, width < 420 ? 3 : STEPS), tickFormat: count }),
      Plot.areaY(known, { x: "x", y1: "low", y2: "high", className: "band" }),
      ...(target === null
        ? []
        : [
            Plot.ruleY([target], { className: "rule" }),
            label(`target ${coefficient(target, Math.max(2, String(target).length - 2))}`, {
              x: 0,
              y: target,
              textAnchor: "start",
              lineAnchor: "bottom",
              dx: 5,
              dy: -5,
            }),
          ]),
      ...(!isNear
        ? []
        : [
            Plot.ruleX([budget], { className: "rule" }),
            label("budget", { x: budget, y: bottom, textAnchor: "end", lineAnchor: "bottom", dx: -5, dy: -5 }),
          ]),
      Plot.lineY(known, { x: "x", y: "value", className: "ln" }),
      Plot.dot(known, { x: "x", y: "value", r: 4.5, className: "dot" }),
      ...known.map((point) =>
        label(String(point.per_question), { x: point.x, y: point.value, voice: "ki", lineAnchor: "bottom", dy: -9 }),
      ),
    ],
  });
}
