// A share over time with its interval, and the pass mark below which annotators are stopped.
import { axisTime, axisY, frame, gridY, label, Plot, percent, ticks } from "./frame.js";

export function shares({ points, threshold, axes }, width) {
  const rows = points.map((point) => ({ ...point, at: new Date(point.at) }));
  const last = rows.at(-1);
  const above = last.share >= threshold; // the label is placed away from the line
  const lowest = Math.min(threshold || 1, ...rows.map((row) => row.low));
  const bottom = Math.max(0, Math.floor(lowest * 10 - 0.5) / 10); // leaves room for the label below the pass mark
  const steps = ticks(bottom, 1, 5, percent);
  return frame({
    axes,
    width,
    height: Math.min(260, Math.max(200, 0.52 * width)),
    marginRight: 44,
    marginBottom: 38,
    x: { type: "utc" },
    y: { domain: [bottom, 1] },
    marks: [
      gridY({ ticks: steps }),
      axisY({ ticks: steps, tickFormat: percent }),
      axisTime(rows[0].at, last.at, 3),
      Plot.areaY(rows, { x: "at", y1: "low", y2: "high", className: "band" }),
      Plot.lineY(rows, { x: "at", y: "share", className: "ln" }),
      ...(threshold
        ? [
            Plot.ruleY([threshold], { className: "rule" }),
            label(`stopped below ${percent(threshold)}`, {
              x: rows[0].at,
              y: threshold,
              textAnchor: "start",
              lineAnchor: above ? "top" : "bottom",
              dx: 5,
              dy: above ? 6 : -6,
            }),
          ]
        : []),
      Plot.dot([last], { x: "at", y: "share", r: 4.5, className: "dot" }),
      label(percent(last.share), { x: last.at, y: last.share, voice: "ki", textAnchor: "start", dx: 9 }),
    ],
  });
}
