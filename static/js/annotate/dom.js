// Functions that create elements and sentences. Texts are always set as text, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Return the element in which an event happened.
 * @param {Event} event
 */
export const targetOf = (event) => /** @type {HTMLElement} */ (event.target);

/**
 * Return the first element that matches. The page's template contains it.
 * @param {string} selector
 * @param {ParentNode} [root]
 */
export const one = (selector, root = document) => /** @type {HTMLElement} */ (root.querySelector(selector));

/**
 * Return all elements that match.
 * @param {string} selector
 * @param {ParentNode} [root]
 */
export const all = (selector, root = document) =>
  /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(selector));

// h("p", {class: "why", onclick: listener}, "text", node); attributes and children that are null or false are left out.
/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes] texts, numbers, booleans and listeners
 * @param {...unknown} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(
    .../** @type {(Node | string)[]} */ (
      children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false)
    ),
  );
  return element;
}

// Write a property only if it changes: browsers style and lay out an element again on each write.
/**
 * @param {any} element
 * @param {string} property
 * @param {unknown} value
 */
export function put(element, property, value) {
  if (element[property] !== value) element[property] = value;
}

/**
 * @param {string} name
 * @param {string} [classes]
 */
export function icon(name, classes = "i") {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", classes);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${document.documentElement.dataset.icons}#${name}`);
  svg.append(use);
  return svg;
}

// The texts in the page's <template id>: an object from names to texts. A text with plural forms is an object from sample
// numbers to forms.
/**
 * @param {string} id
 * @returns {Record<string, any>} texts, and forms by number
 */
export function readStrings(id) {
  /** @type {Record<string, any>} */
  const strings = {};
  const template = /** @type {HTMLTemplateElement | null} */ (document.getElementById(id));
  for (const { dataset, textContent } of template ? all("[data-string]", template.content) : []) {
    const text = textContent.trim();
    const name = /** @type {string} */ (dataset.string);
    strings[name] = dataset.n ? { ...strings[name], [dataset.n]: text } : text;
  }
  return strings;
}

// The form of a text for a number: the form of the first sample number in the same plural category.
/**
 * @param {Record<string, string>} forms
 * @param {number} n
 */
export function form(forms, n) {
  const rules = formatter(Intl.PluralRules, language());
  const samples = Object.keys(forms);
  const sample = samples.find((each) => rules.select(Number(each)) === rules.select(n)) ?? samples.at(-1);
  return forms[/** @type {string} */ (sample)];
}

// "{n} links" with the plural form and the number.
/**
 * @param {Record<string, string>} forms
 * @param {number} n
 */
export function counted(forms, n) {
  return say(form(forms, n), { n: formatter(Intl.NumberFormat, digits()).format(n) });
}

/** @type {Map<string, any>} */
const FORMATTERS = new Map(); // each takes longer to create than a sentence with numbers

/**
 * @template Formatter
 * @param {new (locale: string) => Formatter} kind
 * @param {string} locale
 * @returns {Formatter}
 */
function formatter(kind, locale) {
  const name = `${kind.name} ${locale}`;
  if (!FORMATTERS.has(name)) FORMATTERS.set(name, new kind(locale));
  return FORMATTERS.get(name);
}

// The language of the page itself.
export function language() {
  return document.documentElement.lang || "en";
}

// The same with the digits 0 to 9, which the texts of the server have in every language.
export function digits() {
  return `${language()}-u-nu-latn`;
}

// "Question {n} of {total}" with the values inserted. The result is a string.
/**
 * @param {string} text
 * @param {Record<string, unknown>} [values]
 */
export function say(text, values = {}) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

// The same text with elements as values. The result is a list of nodes.
/**
 * @param {string} text
 * @param {Record<string, any>} [values]
 */
export function compose(text, values = {}) {
  return text.split(/(\{\w+\})/).map((part) => {
    const name = part.match(/^\{(\w+)\}$/)?.[1];
    return name && name in values ? values[name] : part;
  });
}

/** @type {Record<string, string>} */
const SIGNS = { USD: "$", EUR: "€", GBP: "£", JPY: "¥" };

// 12.5 → "$12.50", on Spanish pages "12,50 $". Fractions of a cent are shown if there are any. The function `money` in
// accord_core/numerics/printed.py writes amounts in the same way.
/**
 * @param {number | Intl.StringNumericLiteral} amount
 * @param {string} currency
 */
export function money(amount, currency) {
  const currencyDisplay = /** @type {const} */ ("code");
  const style = /** @type {const} */ ("currency");
  const grouping = { useGrouping: /** @type {const} */ ("always"), maximumFractionDigits: 4 };
  const format = new Intl.NumberFormat(digits(), { style, currency, currencyDisplay, ...grouping });
  const written = format.format(amount);
  const sign = SIGNS[currency];
  return sign ? written.replace(new RegExp(`^${currency}\\s`), sign).replace(currency, sign) : written;
}

// Deep equality of JSON values, regardless of the order of keys.
/**
 * @param {any} a
 * @param {any} b
 * @returns {boolean}
 */
export function same(a, b) {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => name in b && same(a[name], b[name]));
}
