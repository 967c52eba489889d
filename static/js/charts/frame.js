// What all charts share: Observable Plot (a global, like d3, because it comes as one classic script) with this house's
// classes in place of colours, so that charts.css gives them their theme.

const { Plot } = globalThis;

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

// A drawing of `marks`. The style element that Plot adds would need a nonce; what it says is in charts.css.
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

// Time in UTC; the first tick of a day says which.
export function axisTime(options = {}) {
  return axisX({ ticks: 5, ...options });
}

// A label beside its data: strong (k), in ink (ki) or in ochre (ko), with a halo of the surface's colour.
export function label(text, { x, y, voice = "k", ...options }) {
  return Plot.text([{ x, y, text }], { x: "x", y: "y", text: "text", className: `${voice} halo`, ...options });
}
