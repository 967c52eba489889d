// Buttons that copy a text: `data-copies` is the ID of the element with the text. The button then shows the result in
// the language of the page.

/** @param {HTMLElement} button */
export async function copy(button) {
  const source = /** @type {HTMLElement} */ (document.getElementById(button.dataset.copies ?? ""));
  const label = /** @type {ChildNode} */ (button.lastChild);
  try {
    await navigator.clipboard.writeText((source.textContent ?? "").trim());
    label.textContent = button.dataset.copied ?? "Copied";
  } catch {
    getSelection()?.selectAllChildren(source); // Without a clipboard, select the text for Ctrl+C.
    label.textContent = button.dataset.marked ?? "Press Ctrl+C to copy";
  }
}
