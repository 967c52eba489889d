// Settings that a study does not use are hidden until the setting on which they depend has a value, or until somebody
// asks for all settings.

import { all, one, targetOf } from "../annotate/dom.js";

let showsAll = false;

document.addEventListener("input", (event) => {
  if (targetOf(event).closest("form:has([data-needs])")) follow();
});
document.addEventListener("click", (event) => {
  const button = targetOf(event).closest("[data-all-settings]");
  if (!button) return;
  showsAll = !showsAll;
  button.setAttribute("aria-pressed", String(showsAll));
  follow();
});

function follow() {
  for (const row of all("[data-quiet]")) row.hidden = !showsAll;
  for (const row of all("[data-needs]")) row.hidden = !showsAll && !row.dataset.needs.split(" ").some(isInUse);
  for (const group of all("form > .panel")) group.hidden = !one(":is(.fields > *, tr):not([hidden])", group);
}

/** @param {string} need the name of a setting, with “=” and its value if it needs a certain one */
function isInUse(need) {
  const [name, value] = need.split("=");
  const field = document.getElementById(`id_${name}`);
  if (field instanceof HTMLInputElement && field.type === "checkbox") return field.checked;
  if (!(field && "value" in field)) return false; // a locked setting
  const text = String(field.value).trim();
  return value ? text === value : text !== "" && Number(text) !== 0;
}
