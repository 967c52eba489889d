// The number of counted judgements over time, up to the planned number.
import { axisTime, axisY, count, countTicks, frame, gridX, gridY, label, Plot } from "./frame.js";

export function judgements({ points, wanted, axes }, width) {
  const rows = points.map(({ at, count: total }) => ({ at: new Date(at), total }));
  const last = rows.at(-1);
  const top = Math.max(wanted, last.total, 1);
  const left = last.at - rows[0].at === 0;
  const steps = countTicks(top * 1.04, 4);
  return frame({
    axes,
    width,
    height: Math.min(340, Math.max(220, 0.5 * width)),
    marginLeft: 50,
    marginRight: 24,
    marginBottom: 38,
    y: { domain: [0, top * 1.04] },
    x: { type: "utc", nice: !left },
    marks: [
      gridY({ ticks: steps }),
      gridX({ ticks: 5 }),
      axisY({ ticks: steps, tickFormat: count }),
      axisTime(rows[0].at, last.at, width < 420 ? 3 : 5),
      ...(wanted
        ? [
            Plot.ruleY([wanted], { className: "rule" }),
            label(`planned: ${count(wanted)}`, {
              x: rows[0].at,
              y: wanted,
              textAnchor: "start",
              lineAnchor: "top",
              dx: 6,
              dy: 7,
            }),
          ]
        : []),
      Plot.lineY(rows, { x: "at", y: "total", className: "ln" }),
      Plot.dot([last], { x: "at", y: "total", r: 5, className: "dot" }),
      label(`current: ${count(last.total)}`, {
        x: last.at,
        y: last.total,
        voice: "ki",
        textAnchor: "end",
        lineAnchor: "bottom",
        dx: -9,
        dy: -6,
      }),
    ],
  });
}
