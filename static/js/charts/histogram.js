// The number of items by score.
import { axisX, axisY, coefficient, count, frame, gridY, label, Plot } from "./frame.js";

export function histogram({ bins, median, low, high }, width) {
  const most = Math.max(...bins.map((bin) => bin.items));
  return frame({
    width,
    height: Math.min(300, Math.max(200, 0.4 * width)),
    marginBottom: 40,
    x: { domain: [0, 1] },
    y: { domain: [0, most * 1.12] },
    marks: [
      gridY({ ticks: Math.min(5, most) }),
      axisY({ ticks: Math.min(5, most), tickFormat: count }),
      axisX({ ticks: 5, tickFormat: (value) => (Number.isInteger(value) ? String(value) : coefficient(value, 1)) }),
      Plot.rectY(bins, { x1: "from", x2: "to", y: "items", insetLeft: 1, insetRight: 1, rx: 1.5, className: "bar0" }),
      Plot.text([{ x: 0, text: low }], {
        x: "x",
        text: "text",
        frameAnchor: "bottom-left",
        textAnchor: "start",
        lineAnchor: "top",
        dy: 24,
        className: "labels",
      }),
      Plot.text([{ x: 1, text: high }], {
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
