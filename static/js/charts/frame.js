// The common parts of all charts: Observable Plot (a global, like d3, because both are in one classic script) with CSS
// classes instead of colours, so that charts.css sets the theme.

const { Plot, d3 } = globalThis;

export { Plot };

// .831, −.250, 1: a coefficient without its leading zero.
export function coefficient(value, places = 2) {
  const text = Math.abs(value).toFixed(places);
  const sign = value < 0 && Number(text) !== 0 ? "−" : "";
  return sign + (text.startsWith("0.") ? text.slice(1) : text);
}

export function percent(value) {
  return `${Math.round(100 * value)}%`;
}

export function count(value) {
  return value.toLocaleString("en");
}

// Round values for the ticks of an axis from `low` to `high`. No two ticks have the same label.
export function ticks(low, high, most, format) {
  const labels = new Set();
  return d3.ticks(low, high, most).filter((value) => {
    const text = format(value);
    return !labels.has(text) && labels.add(text);
  });
}

// Whole numbers for the ticks of an axis that counts.
export function countTicks(high, most) {
  return d3.ticks(0, high, most).filter(Number.isInteger);
}

const TITLE = 17; // pixels for the name of an axis

// A drawing of `marks`, with the names of its horizontal and vertical axis (`axes`). The style element that Plot adds would need a nonce, so charts.css contains its rules.
export function frame({ width, height, marks, axes = null, ...options }) {
  const margins = { marginTop: 18, marginRight: 14, marginBottom: 26, marginLeft: 42, ...options };
  if (axes) {
    margins.marginTop += TITLE;
    margins.marginBottom += TITLE;
  }
  const svg = Plot.plot({
    ...margins,
    className: "chart",
    width,
    height: axes ? height + 2 * TITLE : height,
    marks: axes ? [...marks, ...titles(axes, margins)] : marks,
  });
  for (const style of svg.querySelectorAll("style")) style.remove();
  for (const part of svg.querySelectorAll("*")) {
    part.removeAttribute("aria-label"); // the drawing is one image with one name
    part.removeAttribute("aria-hidden");
  }
  return svg;
}

// The name of the vertical axis is above its labels, and the name of the horizontal axis is below its labels.
function titles([across, up], { marginTop, marginRight, marginBottom, marginLeft }) {
  const style = { text: (text) => text, facet: "super", className: "labels" };
  return [
    Plot.text([up], {
      ...style,
      frameAnchor: "top-left",
      textAnchor: "start",
      lineAnchor: "top",
      dx: -marginLeft + 1,
      dy: -marginTop + 1,
    }),
    Plot.text([across], {
      ...style,
      frameAnchor: "bottom-right",
      textAnchor: "end",
      lineAnchor: "bottom",
      dx: marginRight - 1,
      dy: marginBottom - 2,
    }),
  ];
}

export function gridY(options = {}) {
  return Plot.gridY({ className: "grid", strokeOpacity: 1, ...options });
}

export function gridX(options = {}) {
  return Plot.gridX({ className: "grid", strokeOpacity: 1, ...options });
}

export function axisY(options = {}) {
  return Plot.axisY({ label: null, tickSize: 0, tickPadding: 7, className: "labels", ...options });
}

export function axisX(options = {}) {
  return Plot.axisX({ label: null, tickSize: 0, tickPadding: 7, className: "labels", ...options });
}

// Time in UTC: hours within two days, else days. The first tick also shows the day.
export function axisTime(first, last, most = 5) {
  const short = last - first < 2 * 24 * 3600 * 1000;
  const quick = last - first < 60_000;
  const hour = d3.utcFormat(quick ? "%H:%M:%S" : "%H:%M");
  const day = d3.utcFormat("%-d %b");
  const unit = quick ? d3.utcSecond : short ? d3.utcMinute : d3.utcDay;
  const values = timeTicks(first, last, most, unit);
  const tickFormat = short ? (at, place) => (place === 0 ? `${hour(at)}\n${day(at)}` : hour(at)) : day;
  return axisX({ ticks: values, tickFormat });
}

// Round times that their labels state exactly. In a collection of several days, no tick is at noon.
function timeTicks(first, last, most, unit) {
  const times = d3.utcTicks(first, last, most).filter((at) => unit.floor(at) - at === 0);
  return times.length ? times : [first];
}

// A label next to its data: strong (k), in ink (ki) or in ochre (ko), with a halo in the colour of the surface.
export function label(text, { x, y, voice = "k", ...options }) {
  return Plot.text([{ x, y, text }], { x: "x", y: "y", text: "text", className: `halo ${voice}`, ...options });
}
