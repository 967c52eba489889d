// The storage of this device. If the browser does not allow storage, memory is used until the page is closed, with one
// memory for all bundles of a page.

/** @typedef {"localStorage" | "sessionStorage"} Area */

globalThis.accordMemory ??= new Map();
const memory = globalThis.accordMemory;

/**
 * @param {string} key
 * @param {Area} [area]
 * @returns {any} the JSON that was stored, or null
 */
export function recall(key, area = "localStorage") {
  try {
    return JSON.parse(window[area].getItem(key) ?? "null");
  } catch {
    return memory.get(key) ?? null;
  }
}

/**
 * @param {string} key
 * @param {unknown} value
 * @param {Area} [area]
 */
export function remember(key, value, area = "localStorage") {
  memory.set(key, value);
  try {
    window[area].setItem(key, JSON.stringify(value));
  } catch {
    return false; // the storage is full or not allowed, so the value is only in memory
  }
  return true;
}

/**
 * @param {string} key
 * @param {Area} [area]
 */
export function forget(key, area = "localStorage") {
  memory.delete(key);
  try {
    window[area].removeItem(key);
  } catch {
    return false;
  }
  return true;
}
