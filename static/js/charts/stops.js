// The probability that the quality rule has stopped an annotator, against the number of gold answers. Each kind of
// annotator has a line with a label at its end.
import { axisX, axisY, count, countTicks, frame, gridY, label, Plot, percent } from "./frame.js";

const STEPS = [0, 0.25, 0.5, 0.75, 1];
const LOOKS = [
  { line: "ln", voice: "ki" },
  { line: "ln2", voice: "k" },
  { line: "fc", voice: "k" },
];
const ROW = 15; // pixels between two labels

export function stops({ kinds, axes }, width) {
  const answers = kinds[0].stopped_by.length;
  const height = Math.min(260, Math.max(200, 0.52 * width));
  const looks = kinds.map((kind, at) => ({ ...kind, ...LOOKS[at], end: kind.stopped_by.at(-1) }));
  return frame({
    axes,
    width,
    height,
    marginRight: 104,
    x: { domain: [0, answers] },
    y: { domain: [0, 1] },
    marks: [
      gridY({ ticks: STEPS }),
      axisY({ ticks: STEPS, tickFormat: percent }),
      axisX({ ticks: countTicks(answers, width < 420 ? 3 : 5), tickFormat: count }),
      ...looks.map(({ stopped_by, line }) =>
        Plot.lineY([0, ...stopped_by], {
          x: (_, at) => at,
          y: (chance) => chance,
          curve: "step-after",
          className: line,
        }),
      ),
      ...apart(looks, height - 44).map(({ name, end, voice, dy }) =>
        label(name, { x: answers, y: end, voice, textAnchor: "start", dx: 8, dy }),
      ),
    ],
  });
}

// Moves labels down so that they do not overlap. `pixels` is the height of the scale.
function apart(looks, pixels) {
  const sorted = [...looks].sort((one, other) => other.end - one.end);
  let free = Number.NEGATIVE_INFINITY;
  return sorted.map((look) => {
    const y = (1 - look.end) * pixels;
    const placed = Math.max(y, free);
    free = placed + ROW;
    return { ...look, dy: placed - y };
  });
}
