// The predicted interval of a plan against the number of answers, and the figures that were measured so far. The last
// measured figure is marked and labelled. Undefined figures leave gaps.
import { axisX, axisY, coefficient, count, countTicks, frame, gridY, label, Plot, ticks } from "./frame.js";

export function plan_reality({ points, axes }, width) {
  const known = points.filter(({ low }) => low !== null);
  const measured = points.filter(({ value }) => value !== null);
  const last = measured.at(-1);
  const all = [...known.flatMap(({ low, high }) => [low, high]), ...measured.map(({ value }) => value)];
  const most = Math.max(...points.map(({ answers }) => answers));
  const bottom = Math.max(-1, Math.floor((Math.min(...all) - 0.03) * 10) / 10);
  const top = Math.min(1, Math.ceil((Math.max(...all) + 0.03) * 20) / 20);
  const steps = ticks(bottom, top, 5, coefficient);
  return frame({
    axes,
    width,
    height: Math.min(280, Math.max(200, 0.4 * width)),
    marginRight: 48,
    marginLeft: 38,
    x: { domain: [0, most * 1.02] },
    y: { domain: [bottom, top] },
    marks: [
      gridY({ ticks: steps }),
      axisY({ ticks: steps, tickFormat: (value) => coefficient(value) }),
      axisX({ ticks: countTicks(most, width < 420 ? 3 : 5), tickFormat: count }),
      Plot.areaY(known, { x: "answers", y1: "low", y2: "high", className: "band" }),
      Plot.lineY(known, { x: "answers", y: "predicted", className: "ln2" }),
      Plot.dot(measured, { x: "answers", y: "value", r: 3.5, className: "dot" }),
      Plot.dot([last], { x: "answers", y: "value", r: 4.5, className: "dot" }),
      label(coefficient(last.value, 3), {
        x: last.answers,
        y: last.value,
        voice: "ki",
        textAnchor: "start",
        dx: 10,
      }),
    ],
  });
}
