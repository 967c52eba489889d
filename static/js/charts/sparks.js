// Small charts for the rows of tables. All have the same size, which charts.css reserves before they are drawn.
import { frame, Plot } from "./frame.js";

const WIDTH = 92;
const HEIGHT = 24;
const DRAWINGS = { interval, line, bars };

/** @param {HTMLElement} place */
export function drawSpark(place) {
  const figures = JSON.parse(place.dataset.figures);
  const options = DRAWINGS[place.dataset.spark](figures);
  const edges = { marginTop: 2, marginRight: 4, marginBottom: 2, marginLeft: 4 };
  const svg = frame({ width: WIDTH, height: HEIGHT, ...edges, x: { axis: null }, y: { axis: null }, ...options });
  svg.setAttribute("aria-hidden", "true"); // the text beside the drawing says the same
  place.append(svg);
}

// The gold accuracy with its interval, from 0 to 1, and the pass mark.
function interval({ share, low, high, threshold }) {
  const voice = share < threshold ? "bad" : "dot";
  return {
    x: { axis: null, domain: [0, 1] },
    marks: [
      ...(threshold ? [Plot.ruleX([threshold], { className: "rule" })] : []),
      Plot.ruleY([0], { x1: low, x2: high, className: "spread" }),
      Plot.dot([{ share }], { x: "share", y: 0, r: 3.5, className: voice }),
    ],
  };
}

// The gold accuracy over the last answers, from the first answer to the latest, and the pass mark.
function line({ shares, threshold }) {
  const points = shares.map((share, place) => ({ share, place }));
  const bad = shares.at(-1) < threshold;
  return {
    x: { axis: null, domain: [0, shares.length - 1] },
    y: { axis: null, domain: [0, 1] },
    marks: [
      ...(threshold ? [Plot.ruleY([threshold], { className: "rule" })] : []),
      Plot.line(points, { x: "place", y: "share", className: bad ? "ln low" : "ln" }),
      Plot.dot(points.slice(-1), { x: "place", y: "share", r: 2.2, className: bad ? "bad" : "dot" }),
    ],
  };
}

// How often each place on the screen was chosen, and the level of equal use.
function bars({ counts, flagged }) {
  const rows = counts.map((number, place) => ({ number, place }));
  const most = Math.max(...counts);
  const high = flagged ? rows.filter((row) => row.number === most) : [];
  const bar = { x: "place", y: "number", rx: 1.5 };
  return {
    x: { axis: null, type: "band", domain: rows.map((row) => row.place), padding: 0.2 },
    y: { axis: null, domain: [0, most] },
    marks: [
      Plot.barY(
        rows.filter((row) => !high.includes(row)),
        { ...bar, className: "soft" },
      ),
      Plot.barY(high, { ...bar, className: "high" }),
      Plot.ruleY([counts.reduce((sum, number) => sum + number, 0) / counts.length], { className: "rule" }),
    ],
  };
}
