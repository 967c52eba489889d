// The digit of a key press, regardless of the keyboard layout: AZERTY has & on this key, and Arabic has ١. With Shift,
// a digit types another character, so the position of the key counts first. The keypad counts only while it types
// digits.
/**
 * @param {KeyboardEvent} event
 */
export function digit(event) {
  const place = event.code?.match(/^Digit(\d)$/)?.[1] ?? event.key?.match(/^\d$/)?.[0];
  return place ? Number(place) : null;
}
