// Scores by group: median, quartiles and range.
import { axisX, coefficient, count, frame, gridX, Plot } from "./frame.js";

const LETTERS = 16;

export function groups({ groups: all, axes }, width) {
  const rows = all.map(({ group, items, quantiles: [min, q1, median, q3, max] }) => ({
    group,
    items,
    min,
    q1,
    median,
    q3,
    max,
  }));
  const longest = Math.min(LETTERS, Math.max(...rows.map((row) => row.group.length)));
  return frame({
    axes,
    width,
    height: 34 + 36 * rows.length,
    marginTop: 6,
    marginLeft: 22 + 7 * longest,
    marginRight: 12,
    x: { domain: [0, 1] },
    y: { domain: rows.map((row) => row.group), padding: 0.25, axis: null },
    marks: [
      gridX({ ticks: 4 }),
      axisX({ ticks: 4, tickFormat: (value) => (Number.isInteger(value) ? String(value) : coefficient(value)) }),
      Plot.ruleY(rows, { y: "group", x1: "min", x2: "max", className: "axis" }),
      Plot.barX(rows, { y: "group", x1: "q1", x2: "q3", rx: 3, insetTop: 4, insetBottom: 4, className: "soft" }),
      Plot.tickX(rows, { y: "group", x: "median", insetTop: 4, insetBottom: 4, className: "middle" }),
      Plot.text(rows, {
        y: "group",
        text: (row) => shortened(row.group),
        frameAnchor: "left",
        textAnchor: "end",
        dx: -9,
        dy: -6.5,
        className: "k",
      }),
      Plot.text(rows, {
        y: "group",
        text: (row) => count(row.items),
        frameAnchor: "left",
        textAnchor: "end",
        dx: -9,
        dy: 6.5,
        className: "labels",
      }),
    ],
  });
}

function shortened(name) {
  return name.length > LETTERS ? `${name.slice(0, LETTERS - 1)}…` : name;
}
