// Each annotator's gold accuracy with its interval and the pass mark, lowest first.
import { axisY, frame, gridY, Plot, percent } from "./frame.js";

export function people({ people: all, threshold, axes }, width) {
  const rows = all.map((person, rank) => ({ ...person, rank }));
  return frame({
    axes,
    width,
    height: 220,
    marginBottom: 10,
    x: { axis: null, type: "point", padding: 0.6, domain: rows.map((row) => row.rank) },
    y: { domain: [0, 1] },
    marks: [
      gridY({ ticks: 5 }),
      axisY({ ticks: 5, tickFormat: percent }),
      ...(threshold ? [Plot.ruleY([threshold], { className: "rule" })] : []),
      Plot.ruleX(rows, { x: "rank", y1: "low", y2: "high", className: "spread" }),
      Plot.dot(
        rows.filter((row) => row.share >= threshold),
        { x: "rank", y: "share", r: 3.5, className: "dot" },
      ),
      Plot.dot(
        rows.filter((row) => row.share < threshold),
        { x: "rank", y: "share", r: 3.5, className: "bad", symbol: "square" },
      ),
      ...(threshold
        ? [
            Plot.text([`stopped below ${percent(threshold)}`], {
              y: [threshold],
              frameAnchor: "right",
              textAnchor: "end",
              lineAnchor: "top",
              dy: 6,
              className: "k halo",
            }),
          ]
        : []),
    ],
  });
}
