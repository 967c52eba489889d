// The number of items by score.
import { axisX, axisY, coefficient, count, countTicks, frame, gridY, label, Plot } from "./frame.js";

export function histogram({ bins, median, low, high, axes }, width) {
  const ends = width < 420 ? 20 : 40; // characters of the names of both ends, which share a line
  const most = Math.max(...bins.map((bin) => bin.items));
  const steps = countTicks(most * 1.12, 5);
  return frame({
    axes,
    width,
    height: Math.min(220, Math.max(200, 0.4 * width)),
    marginBottom: 40,
    x: { domain: [0, 1] },
    y: { domain: [0, most * 1.12] },
    marks: [
      gridY({ ticks: steps }),
      axisY({ ticks: steps, tickFormat: count }),
      axisX({ ticks: 5, tickFormat: (value) => (Number.isInteger(value) ? String(value) : coefficient(value, 1)) }),
      Plot.rectY(bins, { x1: "from", x2: "to", y: "items", insetLeft: 1, insetRight: 1, rx: 1.5, className: "bar0" }),
      Plot.text([{ x: 0, text: shortened(low, ends) }], {
        x: "x",
        text: "text",
        frameAnchor: "bottom-left",
        textAnchor: "start",
        lineAnchor: "top",
        dy: 24,
        className: "labels",
      }),
      Plot.text([{ x: 1, text: shortened(high, ends) }], {
        x: "x",
        text: "text",
        frameAnchor: "bottom-right",
        textAnchor: "end",
        lineAnchor: "top",
        dy: 24,
        className: "labels",
      }),
      Plot.ruleX([median], { className: "rule over" }),
      label(`median ${coefficient(median, 3)}`, {
        x: median,
        y: most * 1.1,
        textAnchor: median > 0.7 ? "end" : "start",
        dx: median > 0.7 ? -6 : 6,
      }),
    ],
  });
}

function shortened(name, most) {
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}
