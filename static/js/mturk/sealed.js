// What a row keeps out of plain sight: which question this is, and what is expected of it. Obscured, not secret: the
// key lies beside it.

// Base64 of JSON in UTF-8, each byte combined with the key's next one.
export function open(sealed, key) {
  const bytes = Uint8Array.from(atob(sealed), (character) => character.charCodeAt(0));
  const keys = Uint8Array.from(atob(key), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes.map((byte, at) => byte ^ keys[at % keys.length])));
}
