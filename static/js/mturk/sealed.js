// The questions of a row, with the kind of each question and the expected answers. They are obscured, but not secret,
// because the key is next to them.

const KEY = 16; // bytes
const SEALED = "s."; // the beginning of a seal

// A key and the compressed JSON of the questions, in which each byte is combined with the next byte of the key.
/**
 * @param {string} seal
 * @returns {Promise<any>}
 */
export async function open(seal) {
  const base64 = seal.slice(SEALED.length).replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const packed = bytes.slice(KEY).map((byte, at) => byte ^ bytes[at % KEY]);
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}
