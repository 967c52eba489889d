// The hourly wage that a reward amounts to, below its field while somebody types.

import { all } from "../annotate/dom.js";

for (const wage of all("[data-hit-seconds]")) {
  const reward = /** @type {HTMLInputElement} */ (document.getElementById("id_reward"));
  const show = () => {
    const hourly = (Number(reward.value) * 3600) / Number(wage.dataset.hitSeconds);
    wage.hidden = !(hourly > 0);
    const { currency } = wage.dataset;
    const amount = new Intl.NumberFormat("en-US", { style: "currency", currency }).format(hourly);
    wage.textContent = `About ${amount} per hour, if a HIT takes ${wage.dataset.takes}.`;
  };
  reward.addEventListener("input", show);
  show();
}
