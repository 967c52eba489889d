// Split-half reliability against judgements: both ways of splitting, the band between them, and the target.
import { Plot, axisX, axisY, coefficient, count, frame, gridY, label } from "./frame.js";

export function reliability({ points, target }, width) {
  const both = points.filter(({ within, whole }) => within !== null && whole !== null);
  const ends = points.flatMap(({ within, whole }) => [within, whole]).filter((value) => value !== null);
  const most = Math.max(...points.map((point) => point.judgements));
  const narrow = width < 420;
  const last = points.at(-1);
  const low = Math.min(...ends, target);
  const high = Math.max(...ends, target);
  const names = [
    ["within", "ki", last.within, "within"],
    ["whole", "ko", last.whole, "whole"],
  ].filter(([, , value]) => value !== null);
  const close = names.length === 2 && Math.abs(names[0][2] - names[1][2]) < 0.09 * (high - low + 0.1);
  return frame({
    width,
    height: Math.min(300, Math.max(200, 0.52 * width)),
    marginRight: 88,
    marginLeft: 38,
    x: { domain: [0, most * (narrow ? 1 : 1.02)] },
    y: { domain: [Math.max(-1, Math.floor((low - 0.03) * 10) / 10), Math.min(1, Math.ceil((high + 0.03) * 20) / 20)] },
    marks: [
      gridY({ ticks: 5 }),
      axisY({ ticks: 5, tickFormat: (value) => coefficient(value) }),
      axisX({ ticks: narrow ? 3 : 5, tickFormat: count }),
      Plot.areaY(both, { x: "judgements", y1: "whole", y2: "within", className: "band" }),
      Plot.ruleY([target], { className: "rule" }),
      label(`target ${coefficient(target)}`, { x: 0, y: target, textAnchor: "start", lineAnchor: "bottom", dx: 5, dy: -5 }),
      Plot.lineY(points, { x: "judgements", y: "within", className: "ln" }),
      Plot.lineY(points, { x: "judgements", y: "whole", className: "ln2" }),
      Plot.dot([last], { x: "judgements", y: "within", r: 4.5, className: "dot" }),
      Plot.dot([last], { x: "judgements", y: "whole", r: 4, className: "ring" }),
      ...names.map(([, voice, value, word], place) =>
        label(`${coefficient(value, 3)} ${word}`, {
          x: last.judgements, y: value, voice, textAnchor: "start", dx: 10, dy: close ? [-7, 7][place] : 0,
        }),
      ),
    ],
  });
}
