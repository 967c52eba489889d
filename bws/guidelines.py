"""The default guidelines for a new best–worst study. Researchers can edit the guidelines.

The wording of “best” and “worst” is an option of the study, so the guidelines fit every wording, and there are no
default worked examples.
"""

GUIDELINES = """\
You see a few items at a time. The question above the items asks you to choose two of them, one for each end of a scale.

- Compare **only the items on the page**. Even if all items on a page are similar, choose two of them.
- Choose the two items in either order.
- Rely on **your own judgement**. Please do not look anything up, because we want your first impression.
- If two items seem equal to you, choose the item that came to your mind first.

The position of an item on the page has no meaning. Accord shuffles the items for each annotator.

Most questions have no correct answer.
"""

WORKED_EXAMPLES = ""
