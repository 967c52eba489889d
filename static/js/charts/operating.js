// The operating curve of a quality rule: the probability of a stop against the share of careful answers. If the curve
// comes from a simulation, a band shows its 95% interval. A dashed line shows the wanted share of careful annotators whom
// the rule stops. Two points are labelled: half-careless and careful annotators.
import { axisX, axisY, frame, gridY, label, Plot, percent } from "./frame.js";

const STEPS = [0, 0.25, 0.5, 0.75, 1];

export function operating({ points, falseStops, axes }, width) {
  const half = points.find(({ care }) => care === 0.5);
  const careful = points.at(-1);
  return frame({
    axes,
    width,
    height: Math.min(260, Math.max(200, 0.52 * width)),
    marginRight: 52,
    x: { domain: [0, 1] },
    y: { domain: [0, 1] },
    marks: [
      gridY({ ticks: STEPS }),
      axisY({ ticks: STEPS, tickFormat: percent }),
      axisX({ ticks: STEPS, tickFormat: percent }),
      Plot.areaY(points, { x: "care", y1: "low", y2: "high", className: "band" }),
      Plot.ruleY([falseStops], { className: "rule" }),
      Plot.lineY(points, { x: "care", y: "stopped", className: "ln" }),
      Plot.dot([half], { x: "care", y: "stopped", r: 4, className: "ring" }),
      label(`half-careless ${percent(half.stopped)}`, {
        x: half.care,
        y: half.stopped,
        voice: "k",
        textAnchor: half.stopped > 0.5 ? "end" : "start",
        lineAnchor: half.stopped > 0.5 ? "top" : "bottom",
        dx: half.stopped > 0.5 ? -8 : 8,
        dy: half.stopped > 0.5 ? 8 : -8,
      }),
      Plot.dot([careful], { x: "care", y: "stopped", r: 4.5, className: "dot" }),
      label(percent(careful.stopped), {
        x: careful.care,
        y: careful.stopped,
        voice: "ki",
        textAnchor: "start",
        dx: 10,
      }),
    ],
  });
}
