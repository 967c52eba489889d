// Making elements and sentences. Texts are always set as text, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

// h("p", {class: "why", onclick: listener}, "text", node); attributes and children that are null or false are left out.
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

export function icon(name, classes = "i") {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", classes);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${document.documentElement.dataset.icons}#${name}`);
  svg.append(use);
  return svg;
}

// The sentences that the page handed over in <template id>: an object from name to text.
export function readStrings(id) {
  const template = document.getElementById(id);
  const found = template ? [...template.content.querySelectorAll("[data-string]")] : [];
  return Object.fromEntries(found.map((element) => [element.dataset.string, element.textContent.trim()]));
}

// "Question {n} of {total}" with values put in; the result is a string.
export function say(text, values = {}) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

// The same, with elements as values; the result is a list of nodes.
export function compose(text, values = {}) {
  return text.split(/(\{\w+\})/).map((part) => {
    const name = part.match(/^\{(\w+)\}$/)?.[1];
    return name && name in values ? values[name] : part;
  });
}

// 12.5 → "12.50 USD"; fractions of a cent are shown when there are any.
export function money(amount, currency) {
  const [whole, fraction = ""] = String(amount).split(".");
  return `${whole}.${fraction.replace(/0+$/, "").padEnd(2, "0")} ${currency}`;
}

// Deep equality of JSON, whatever the order of keys.
export function same(a, b) {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => name in b && same(a[name], b[name]));
}
