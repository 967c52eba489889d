// Scores plotted against a property of the items.
import { axisX, axisY, coefficient, frame, gridX, gridY, Plot, ticks } from "./frame.js";

export function scatter({ points, axes }, width) {
  const xs = points.map(({ x }) => x);
  const [low, high] = [Math.min(...xs), Math.max(...xs)];
  const shares = low >= 0 && high <= 1;
  const domain = shares ? [0, 1] : [low, high];
  const number = (value) => (Number.isInteger(value) ? value.toLocaleString("en") : coefficient(value, 1));
  const across = ticks(...domain, 5, number);
  return frame({
    axes,
    width,
    height: Math.min(340, Math.max(220, 0.6 * width)),
    x: { domain, inset: 6 },
    y: { domain: [0, 1], inset: 6 },
    marks: [
      gridY({ ticks: 4 }),
      gridX({ ticks: across }),
      axisY({ ticks: 4, tickFormat: number }),
      axisX({ ticks: across, tickFormat: number }),
      Plot.dot(points, {
        x: "x",
        y: "y",
        r: points.length > 400 ? 2 : 3.5,
        className: points.length > 400 ? "soft" : "dot",
      }),
    ],
  });
}
