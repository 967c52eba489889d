// A chart as a separate SVG file in the light theme with all styles inline, for use in a paper.

const PROPERTIES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "opacity",
  "paint-order",
  "font-family",
  "font-size",
  "font-weight",
  "font-variant-numeric",
];

export function standalone(svg, title) {
  const copy = svg.cloneNode(true);
  inLightTheme(() => writeStyles(svg, copy));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const name = document.createElementNS("http://www.w3.org/2000/svg", "title");
  name.textContent = title;
  copy.prepend(name);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
}

// All styles are read together, and the theme is restored before anything is painted.
function inLightTheme(work) {
  const root = document.documentElement;
  const theme = root.dataset.theme;
  root.dataset.theme = "light";
  try {
    work();
  } finally {
    root.dataset.theme = theme;
  }
}

function writeStyles(original, copy) {
  const originals = [original, ...original.querySelectorAll("*")];
  const copies = [copy, ...copy.querySelectorAll("*")];
  const inherited = new Map();
  originals.forEach((element, place) => {
    const computed = getComputedStyle(element);
    const own = Object.fromEntries(PROPERTIES.map((name) => [name, computed.getPropertyValue(name)]));
    const above = inherited.get(element.parentNode) ?? {};
    for (const [name, value] of Object.entries(own)) {
      // Opacity is the only one of these properties that children do not inherit.
      const needed = name === "opacity" ? value !== "1" : value !== above[name];
      if (needed) copies[place].setAttribute(name, value);
      else copies[place].removeAttribute(name);
    }
    copies[place].removeAttribute("class");
    copies[place].removeAttribute("style");
    inherited.set(element, own);
  });
}
