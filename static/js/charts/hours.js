// The judgements in each hour of the day, in UTC.
import { axisX, axisY, count, countTicks, frame, gridY, Plot } from "./frame.js";

const TICKS = [0, 6, 12, 18]; // hours

export function hours({ judgements, axes }, width) {
  const bars = judgements.map((number, hour) => ({ hour, number }));
  const most = Math.max(1, ...judgements);
  const ticks = countTicks(most * 1.04, 4);
  return frame({
    axes,
    width,
    height: 176,
    x: { domain: bars.map((bar) => bar.hour), padding: 0.2 },
    y: { domain: [0, most * 1.04] },
    marks: [
      gridY({ ticks }),
      axisY({ ticks, tickFormat: count }),
      axisX({ ticks: TICKS, tickFormat: (hour) => `${String(hour).padStart(2, "0")}:00` }),
      Plot.barY(bars, { x: "hour", y: "number", rx: 2, className: "bar0" }),
    ],
  });
}
