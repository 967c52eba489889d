"""An example layout for researchers without an HTML form of their own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

QUESTIONS = """\
<fieldset>
  <legend>Your question with several choices</legend>
  <label><input type="radio" name="choice" value="first" required> First choice</label><br>
  <label><input type="radio" name="choice" value="second"> Second choice</label><br>
  <label><input type="radio" name="choice" value="other"> Neither of them</label>
</fieldset>
<fieldset>
  <legend>Your question with a rating</legend>
  <label><input type="radio" name="rating" value="1" required> 1 (lowest)</label>
  <label><input type="radio" name="rating" value="2"> 2</label>
  <label><input type="radio" name="rating" value="3"> 3</label>
  <label><input type="radio" name="rating" value="4"> 4</label>
  <label><input type="radio" name="rating" value="5"> 5 (highest)</label>
</fieldset>
<p>
  <label>Your question with a short answer
    <input type="text" name="comment"></label>
</p>
"""


def starter(columns: Sequence[str]) -> str:
    """Return the HTML of a form that shows these columns and has one choice, one rating and one text."""
    shown = [f"<p><b>{escape(column)}:</b> ${{{column}}}</p>\n" for column in columns if "}" not in column]
    return "".join(shown) + QUESTIONS
