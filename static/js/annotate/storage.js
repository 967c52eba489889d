// What this device remembers. Where a browser forbids storage, memory has to do until the page is closed: one memory for
// all bundles of a page.

globalThis.accordMemory ??= new Map();
const memory = globalThis.accordMemory;

export function recall(key, area = "localStorage") {
  try {
    return JSON.parse(window[area].getItem(key));
  } catch {
    return memory.get(key) ?? null;
  }
}

export function remember(key, value, area = "localStorage") {
  memory.set(key, value);
  try {
    window[area].setItem(key, JSON.stringify(value));
  } catch {
    return false; // full or forbidden: memory has it
  }
  return true;
}

export function forget(key, area = "localStorage") {
  memory.delete(key);
  try {
    window[area].removeItem(key);
  } catch {
    return false;
  }
  return true;
}
