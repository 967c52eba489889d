// What a row keeps out of plain sight: which question this is, and what is expected of it. Obscured, not secret: the
// key lies beside it.

const KEY = 16; // bytes

// Base64 of a key and, behind it, JSON in UTF-8, each byte combined with the key's next one.
/**
 * @param {string} sealed
 */
export function open(sealed) {
  const bytes = Uint8Array.from(atob(sealed), (character) => character.charCodeAt(0));
  const plain = bytes.slice(KEY).map((byte, at) => byte ^ bytes[at % KEY]);
  return JSON.parse(new TextDecoder().decode(plain));
}
