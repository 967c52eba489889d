// The obscured parts of a row: the kind of each question and the expected answers. They are not secret, because the key
// is next to them.

const KEY = 16; // bytes

// Base64 of a key, followed by JSON in UTF-8 in which each byte is combined with the next byte of the key.
/**
 * @param {string} sealed
 */
export function open(sealed) {
  const bytes = Uint8Array.from(atob(sealed), (character) => character.charCodeAt(0));
  const plain = bytes.slice(KEY).map((byte, at) => byte ^ bytes[at % KEY]);
  return JSON.parse(new TextDecoder().decode(plain));
}
