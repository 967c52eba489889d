// Keys for the lists of the console: / moves to the filter, j and k move between rows, Enter opens a row, Esc goes back,
// and ? shows all keys. The focus is on the first link of a row, or on its summary, so Enter needs no code here.

import { all, one, targetOf } from "../annotate/dom.js";
import { recall, remember } from "../annotate/storage.js";

const SINGLE_KEYS = "accord:single-keys"; // the same setting as on the work page: WCAG 2.1.4
const ROWS = "main :is(tbody tr:not(.detail), ul > li, ol > li):has(a[href], summary)";
const OTHERS = "main nav li, main form li"; // no rows, although they look alike
const FIELDS = "input, textarea, select, dialog, [contenteditable], [role=listbox], [role=grid], [role=slider]";
const OPEN = "dialog[open], details[data-floats][open], details.explain[open], [popover]:popover-open";
const HELP = ".ask[aria-expanded=true]";
const LIST_LEFT = "accord:list:"; // followed by the path of a list: its filters, order and page
const ROW_LEFT = `accord:row:${location.pathname}${location.search}`;

/** @type {Record<string, () => boolean>} */
const KEYS = { "/": filter, j: () => walk(1), k: () => walk(-1), Escape: goBack, "?": showKeys };

const keys = /** @type {HTMLDialogElement | null} */ (document.getElementById("all-keys"));
if (keys) {
  const toggle = /** @type {HTMLInputElement} */ (one("#single-keys", keys));
  toggle.addEventListener("change", () => remember(SINGLE_KEYS, toggle.checked));
  const showState = () => {
    toggle.checked = areOn();
  };
  showState();
  keys.addEventListener("toggle", showState); // comes after the dialog is open; the annotator's pages can change it
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (targetOf(event).closest(FIELDS) || one(OPEN)) return;
    if (!areOn() && event.key !== "Escape") return;
    if (event.key === "Escape" && one(HELP)) return; // closes the help, see shell.js
    if (KEYS[event.key]?.()) event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    const row = targetOf(event).closest(ROWS);
    if (row) remember(ROW_LEFT, linkOf(row).href ?? "", "sessionStorage");
  });
  const [arrival] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  if (arrival?.type === "back_forward" || document.referrer === recall(ROW_LEFT, "sessionStorage")) focusRowLeft();
}

if (one("main :is(.filters, .pages)")) remember(LIST_LEFT + location.pathname, location.search, "sessionStorage");
for (const link of /** @type {Iterable<HTMLAnchorElement>} */ (all("main a[data-list]"))) leadToListLeft(link);

function areOn() {
  return recall(SINGLE_KEYS) ?? true;
}

function filter() {
  const field = [...all("main input[type=search]")].find((each) => each.checkVisibility());
  field?.focus();
  return Boolean(field);
}

// Begins with the first row in the window.
function walk(step) {
  const links = [...all(ROWS)].filter((row) => !row.matches(OTHERS) && row.checkVisibility()).map(linkOf);
  const row = document.activeElement.closest(ROWS);
  const place = row ? links.indexOf(linkOf(row)) : -1;
  const inView = links.findIndex((link) => link.getBoundingClientRect().top >= 0);
  const next = place < 0 ? Math.max(inView, 0) : Math.min(Math.max(place + step, 0), links.length - 1);
  links[next]?.focus();
  return links.length > 0;
}

/** @param {Element} row */
function linkOf(row) {
  return /** @type {HTMLAnchorElement} */ (one("a[href], summary", row));
}

function showKeys() {
  keys.showModal();
  return true;
}

// Only to a page of the console, so that Esc never leaves it.
function goBack() {
  const isHere = document.referrer.startsWith(`${location.origin}/console/`);
  if (isHere) history.back();
  return isHere;
}

function focusRowLeft() {
  const left = recall(ROW_LEFT, "sessionStorage");
  [...all(ROWS)]
    .map(linkOf)
    .find((link) => link.href === left)
    ?.focus();
}

// Unless the link asks for another list than the one left.
/** @param {HTMLAnchorElement} link */
function leadToListLeft(link) {
  const left = recall(LIST_LEFT + link.pathname, "sessionStorage") ?? "";
  const filters = new URLSearchParams(left);
  const asked = [...new URLSearchParams(link.search)];
  if (left && asked.every(([name, value]) => filters.get(name) === value)) link.search = left;
}
