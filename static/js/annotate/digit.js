// The digit that was pressed, wherever the layout has it: AZERTY has & on that key, an Arabic one ١. Shift with a digit
// types something else, so the key's place counts first. The keypad counts only while it types digits.
/**
 * @param {KeyboardEvent} event
 */
export function digit(event) {
  const place = event.code?.match(/^Digit(\d)$/)?.[1] ?? event.key?.match(/^\d$/)?.[0];
  return place ? Number(place) : null;
}
