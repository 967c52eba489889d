// The number of times that each screen position was chosen as each of the two answers. Positions are shuffled, so equal
// bars are expected.
import { axisY, count, countTicks, frame, gridY, Plot } from "./frame.js";

export function positions({ rows, names, axes }, width) {
  const most = Math.max(...rows.map((row) => row.count));
  const steps = countTicks(most * 1.15, 4);
  return frame({
    axes,
    width,
    height: 220,
    marginBottom: 32,
    fx: { padding: 0.25, label: null },
    x: { axis: null, padding: 0.1, domain: names },
    y: { domain: [0, most * 1.15] },
    marks: [
      gridY({ ticks: steps }),
      axisY({ ticks: steps, tickFormat: count }),
      Plot.axisFx({
        label: null,
        anchor: "bottom",
        tickSize: 0,
        tickFormat: String,
        className: "labels",
      }),
      Plot.barY(
        rows.filter((row) => row.name === names[0]),
        { fx: "place", x: "name", y: "count", rx: 1.5, className: "bar0" },
      ),
      Plot.barY(
        rows.filter((row) => row.name === names[1]),
        { fx: "place", x: "name", y: "count", rx: 1.5, className: "open" },
      ),
      Plot.ruleY([rows.reduce((sum, row) => sum + row.count, 0) / rows.length], { className: "rule" }),
      ...(width > 420
        ? [
            Plot.text(rows, {
              fx: "place",
              x: "name",
              y: "count",
              text: (row) => count(row.count),
              lineAnchor: "bottom",
              dy: -4,
              className: "labels",
            }),
          ]
        : []),
    ],
  });
}
