// The service worker of the work pages. It controls only addresses below /a/. With a connection, every page and file
// comes from the server. Without one, the worker serves the copy that offline.js made of the opened page.

const PATIENCE = 8000; // ms after which a copy is shown instead of waiting for a server that does not respond
const WORK_PAGE = /^\/a\/[\w-]+$/;
const GONE = [401, 403, 404, 410];

const worker = /** @type {any} */ (self);
worker.addEventListener("install", (/** @type {any} */ event) => {
  worker.skipWaiting();
  // Requests to the API bypass this worker. Otherwise, a draft that is sent when the page is left would be lost,
  // because the page is closed before the worker has handled the request.
  event.addRoutes?.({ condition: { urlPattern: { pathname: "/api/*" } }, source: "network" });
});
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") {
    if (WORK_PAGE.test(pathname)) event.respondWith(page(request));
  } else if (pathname.startsWith("/static/")) {
    event.respondWith(file(request));
  }
});

/** @param {Request} request */
async function page(request) {
  const copy = await caches.match(request.url, { ignoreVary: true });
  const response = fetch(request);
  if (!copy) return response;
  response.catch(() => null); // it can fail after the copy was shown
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, null));
  try {
    const first = await Promise.race([response, late]);
    if (first === null || first.status >= 500) return copy;
    // The HIT has ended, or this browser is no longer the annotator's: the copy must not be opened again.
    if (first.type === "opaqueredirect" || GONE.includes(first.status)) await forget(request);
    return first;
  } catch {
    return copy; // no connection
  }
}

/** @param {Request} request */
async function file(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const copy = await caches.match(request, { ignoreVary: true });
    if (!copy) throw error;
    return copy;
  }
}

/** @param {Request} request */
async function forget(request) {
  for (const name of await caches.keys()) await (await caches.open(name)).delete(request.url);
}
