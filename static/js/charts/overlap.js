// The word overlap of the pairs in a sample as bars, with the same number of random pairs as dashed bars behind them. A
// line across a bar shows the requested number.
import { axisX, axisY, coefficient, count, countTicks, frame, gridY, label, Plot } from "./frame.js";

export function overlap({ bins, median, axes }, width) {
  const most = Math.max(...bins.flatMap((bin) => [bin.pairs, bin.at_random, bin.requested ?? 0]));
  const steps = countTicks(most * 1.12, 5);
  return frame({
    axes,
    width,
    height: Math.min(300, Math.max(200, 0.4 * width)),
    x: { domain: [0, 1] },
    y: { domain: [0, most * 1.12] },
    marks: [
      gridY({ ticks: steps }),
      axisY({ ticks: steps, tickFormat: count }),
      axisX({ ticks: 5, tickFormat: (value) => (Number.isInteger(value) ? String(value) : coefficient(value, 1)) }),
      Plot.rectY(bins, { x1: "from", x2: "to", y: "at_random", insetLeft: 0.5, insetRight: 0.5, className: "open" }),
      Plot.rectY(bins, { x1: "from", x2: "to", y: "pairs", insetLeft: 3, insetRight: 3, rx: 1.5, className: "bar0" }),
      Plot.ruleY(
        bins.filter((bin) => bin.requested),
        { x1: "from", x2: "to", y: "requested", insetLeft: 1, insetRight: 1, strokeWidth: 2, className: "rule over" },
      ),
      Plot.ruleX([median], { className: "rule" }),
      label(`median ${coefficient(median, 3)}`, {
        x: median,
        y: most * 1.1,
        textAnchor: median > 0.7 ? "end" : "start",
        dx: median > 0.7 ? -6 : 6,
      }),
    ],
  });
}
