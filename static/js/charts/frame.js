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

// A drawing of `marks`. The style element that Plot adds would need a nonce, so charts.css contains its rules.
export function frame({ width, height, marks, ...options }) {
  const svg = Plot.plot({
    marginTop: 18,
    marginRight: 14,
    marginBottom: 26,
    marginLeft: 42,
    ...options,
    className: "chart",
    width,
    height,
    marks,
  });
  for (const style of svg.querySelectorAll("style")) style.remove();
  for (const part of svg.querySelectorAll("*")) {
    part.removeAttribute("aria-label"); // the drawing is one image with one name
    part.removeAttribute("aria-hidden");
  }
  return svg;
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

// Time in UTC: hours within two days, else days; the first tick says which day.
export function axisTime(first, last, options = {}) {
  const short = last - first < 2 * 24 * 3600 * 1000;
  const hour = d3.utcFormat(last - first < 60_000 ? "%H:%M:%S" : "%H:%M");
  const day = d3.utcFormat("%a %-d");
  const tickFormat = short
    ? (at, place) => (place === 0 ? `${hour(at)}\n${d3.utcFormat("%-d %b")(at)}` : hour(at))
    : day;
  return axisX({ ticks: 5, tickFormat, ...options });
}

// A label next to its data: strong (k), in ink (ki) or in ochre (ko), with a halo in the colour of the surface.
export function label(text, { x, y, voice = "k", ...options }) {
  return Plot.text([{ x, y, text }], { x: "x", y: "y", text: "text", className: `halo ${voice}`, ...options });
}
