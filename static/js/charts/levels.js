// The reliability by number of judgements per tuple, with the standard deviation over splits.
import { axisX, axisY, coefficient, frame, gridY, label, Plot, ticks } from "./frame.js";

export function levels({ levels: rows, axes }, width) {
  const low = Math.min(...rows.map((row) => row.mean - row.sd));
  const high = Math.max(...rows.map((row) => row.mean + row.sd));
  const bottom = Math.max(-1, Math.floor((low - 0.03) * 10) / 10);
  const top = Math.min(1, Math.ceil((high + 0.03) * 20) / 20);
  const steps = ticks(bottom, top, 5, coefficient);
  return frame({
    axes,
    width,
    height: 210,
    marginLeft: 38,
    x: { domain: rows.map((row) => row.level), padding: 0.5, type: "point" },
    y: { domain: [bottom, top] },
    marks: [
      gridY({ ticks: steps }),
      axisY({ ticks: steps, tickFormat: (value) => coefficient(value) }),
      axisX({ tickFormat: String }),
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
