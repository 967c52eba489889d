// Scores against something that items bring along.
import { Plot, axisX, axisY, coefficient, frame, gridX, gridY, label } from "./frame.js";

export function scatter({ points, name }, width) {
  const xs = points.map(({ x }) => x);
  const [low, high] = [Math.min(...xs), Math.max(...xs)];
  const fine = high <= 1;
  const number = (value) => (Number.isInteger(value) ? value.toLocaleString("en") : coefficient(value, fine ? 2 : 1));
  return frame({
    width,
    height: Math.min(340, Math.max(220, 0.6 * width)),
    marginBottom: 40,
    x: { domain: fine && low >= 0 ? [0, 1] : [low, high], inset: 6 },
    y: { domain: [0, 1], inset: 6 },
    marks: [
      gridY({ ticks: 4 }),
      gridX({ ticks: 5 }),
      axisY({ ticks: 4, tickFormat: number }),
      axisX({ ticks: 5, tickFormat: number }),
      Plot.dot(points, { x: "x", y: "y", r: points.length > 400 ? 2 : 3.5, className: points.length > 400 ? "soft" : "dot" }),
      label(name, { x: high, y: 0, frameAnchor: "bottom-right", textAnchor: "end", dy: 34, voice: "labels" }),
    ],
  });
}
