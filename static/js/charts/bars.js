// How often each category occurs, for example the number of questions in which an item appears.
import { axisX, axisY, count, countTicks, frame, gridY, Plot } from "./frame.js";

const WIDEST = 40; // pixels of one bar
const MOST_NAMES = 12; // further categories have too little space for their names, and the table lists them

export function bars({ rows, axes }, width) {
  const bars = rows.map(([name, number]) => ({ name: String(name), number }));
  const most = Math.max(...bars.map((bar) => bar.number));
  const named = bars.length <= MOST_NAMES;
  const ticks = countTicks(most * 1.12, 4);
  const padding = Math.max(0.3, 1 - (WIDEST * bars.length) / width); // a single bar does not fill the drawing
  return frame({
    axes,
    width,
    height: 176,
    marginBottom: named ? 26 : 10,
    x: { axis: null, padding, domain: bars.map((bar) => bar.name) },
    y: { domain: [0, most * 1.12] },
    marks: [
      gridY({ ticks }),
      axisY({ ticks, tickFormat: count }),
      ...(named ? [axisX({ ticks: undefined })] : []),
      Plot.barY(bars, { x: "name", y: "number", rx: 2, className: "bar0" }),
      ...(named
        ? [
            Plot.text(bars, {
              x: "name",
              y: "number",
              text: (bar) => count(bar.number),
              lineAnchor: "bottom",
              dy: -4,
              className: "labels",
            }),
          ]
        : []),
    ],
  });
}
