// Shows moments in the annotator's own time zone. Without this script, they stand in UTC, and say so.

import { digits } from "./dom.js";

for (const element of document.querySelectorAll("time[data-moment]")) {
  const at = new Date(/** @type {HTMLTimeElement} */ (element).dateTime);
  element.textContent = at.toLocaleString(digits(), { dateStyle: "long", timeStyle: "short" });
}
