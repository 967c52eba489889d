// Scores plotted against a property of the items.
import { axisX, axisY, coefficient, frame, gridX, gridY, Plot } from "./frame.js";

export function scatter({ points, name }, width) {
  const xs = points.map(({ x }) => x);
  const [low, high] = [Math.min(...xs), Math.max(...xs)];
  const shares = low >= 0 && high <= 1;
  const domain = shares ? [0, 1] : [low, high];
  const number = (value) => (Number.isInteger(value) ? value.toLocaleString("en") : coefficient(value, 1));
  return frame({
    width,
    height: Math.min(340, Math.max(220, 0.6 * width)),
    marginBottom: 40,
    x: { domain, inset: 6 },
    y: { domain: [0, 1], inset: 6 },
    marks: [
      gridY({ ticks: 4 }),
      gridX({ ticks: 5 }),
      axisY({ ticks: 4, tickFormat: number }),
      axisX({ ticks: 5, tickFormat: number }),
      Plot.dot(points, {
        x: "x",
        y: "y",
        r: points.length > 400 ? 2 : 3.5,
        className: points.length > 400 ? "soft" : "dot",
      }),
      Plot.text([{ x: domain[1], text: name }], {
        x: "x",
        text: "text",
        frameAnchor: "bottom-right",
        textAnchor: "end",
        lineAnchor: "top",
        dy: 24,
        className: "labels",
      }),
    ],
  });
}
