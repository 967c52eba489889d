// Keeps a copy of the opened work page and of its files, so that the service worker can start the page without a
// connection. There is one cache for each participation, with only the page of the current HIT.

import { recall, remember } from "./storage.js";

const PREFIX = "accord-page:";
const WORKER = "/a/worker.js";

// owner: the study and the pseudonym, "study:pseudonym".
const nameOf = (/** @type {string} */ owner) => `${PREFIX}${owner}`;

/**
 * Copy the page as the server sends it now. Copies of other participations in the same study are deleted.
 * @param {string} owner
 * @param {string} module the task type's module, which no element of the page names
 */
export async function keepPage(owner, module) {
  if (!("serviceWorker" in navigator) || !("caches" in window)) return; // without TLS, browsers have neither
  await navigator.serviceWorker.register(WORKER, { scope: "/a/", updateViaCache: "none" });
  await navigator.serviceWorker.ready;
  await forgetPages(owner.split(":")[0], owner);
  const path = location.pathname;
  const page = await fetch(path, { cache: "no-store" });
  if (!page.ok || page.redirected) return;
  const cache = await caches.open(nameOf(owner));
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const files = [...loaded, module, document.documentElement.dataset.icons ?? ""].map((name) => pathOf(name));
  for (const file of new Set(files.filter((each) => each.startsWith("/static/")))) {
    const response = await fetch(file);
    if (response.ok) await cache.put(file, response); // a task type may name a file that does not exist
  }
  if (path === location.pathname) await onlyPage(cache, path, page); // not if the next HIT has begun in the meantime
}

/**
 * Let the copy start with the assignment that follows, because a reload asks for the address of the new assignment.
 * `earned` and `gold` contain the annotator's results so far, because those in the copy are older.
 * @param {string} owner
 * @param {{assignment: {id: string}, earned: number, gold: {right: number, graded: number}}} now
 * @param {string} path
 */
export async function continueWith(owner, now, path) {
  if (!remember(`${PREFIX}${owner}`, now) || !("caches" in window)) return;
  const cache = await caches.open(nameOf(owner));
  const [page] = (await cache.keys()).filter(({ url }) => isPage(url));
  if (page && new URL(page.url).pathname !== path)
    await onlyPage(cache, path, /** @type {Response} */ (await cache.match(page)));
}

/**
 * Return the assignment with this ID and the results before it, if the page continued with it before.
 * @param {string} owner
 * @param {string} id
 */
export function continuedWith(owner, id) {
  const now = recall(`${PREFIX}${owner}`);
  return now?.assignment?.id === id ? now : null;
}

/**
 * Delete the copies of a study's pages, except those of one participation. If no copies are left, the service worker is
 * removed as well.
 * @param {string} study
 * @param {string} [except] "study:pseudonym"
 */
export async function forgetPages(study, except) {
  if (!("serviceWorker" in navigator) || !("caches" in window)) return;
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  const leaving = names.filter((name) => name.startsWith(`${PREFIX}${study}:`) && name !== nameOf(except ?? ""));
  await Promise.all(leaving.map((name) => caches.delete(name)));
  if (except === undefined && leaving.length === names.length) {
    await (await navigator.serviceWorker.getRegistration("/a/"))?.unregister();
  }
}

/**
 * @param {Cache} cache
 * @param {string} path
 * @param {Response} page
 */
async function onlyPage(cache, path, page) {
  await cache.put(path, page);
  const kept = new URL(path, location.href).href;
  const others = (await cache.keys()).filter(({ url }) => isPage(url) && url !== kept);
  await Promise.all(others.map((other) => cache.delete(other)));
}

const pathOf = (/** @type {string} */ url) => new URL(url, location.href).pathname;
const isPage = (/** @type {string} */ url) => pathOf(url).startsWith("/a/");
