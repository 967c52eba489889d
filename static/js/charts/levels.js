// The reliability by number of judgements per tuple, with the standard deviation over splits.
import { axisX, axisY, coefficient, frame, gridY, label, Plot } from "./frame.js";

export function levels({ levels: rows, target }, width) {
  const low = Math.min(target, ...rows.map((row) => row.mean - row.sd));
  const high = Math.max(target, ...rows.map((row) => row.mean + row.sd));
  return frame({
    width,
    height: 210,
    marginLeft: 38,
    x: { domain: rows.map((row) => row.level), padding: 0.5, type: "point" },
    y: { domain: [Math.max(-1, Math.floor((low - 0.03) * 10) / 10), Math.min(1, Math.ceil((high + 0.03) * 20) / 20)] },
    marks: [
      gridY({ ticks: 5 }),
      axisY({ ticks: 5, tickFormat: (value) => coefficient(value) }),
      axisX({ tickFormat: (value) => `${value} per tuple` }),
      Plot.ruleY([target], { className: "rule" }),
      Plot.text([`target for the full data: ${coefficient(target)}`], {
        y: [target],
        frameAnchor: "left",
        textAnchor: "start",
        lineAnchor: "bottom",
        dx: 5,
        dy: -5,
        className: "k halo",
      }),
      Plot.ruleX(rows, {
        x: "level",
        y1: (row) => row.mean - row.sd,
        y2: (row) => row.mean + row.sd,
        className: "spread",
      }),
      Plot.dot(rows, { x: "level", y: "mean", r: 4.5, className: "dot" }),
      ...rows.map((row) =>
        label(coefficient(row.mean, 3), { x: row.level, y: row.mean, voice: "ki", textAnchor: "start", dx: 9 }),
      ),
    ],
  });
}
