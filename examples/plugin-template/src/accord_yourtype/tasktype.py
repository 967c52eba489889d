"""Items, questions, answers and grades. Every method receives and returns plain data."""

from django.utils.translation import gettext as _

from accord_core.numerics.draws import draw
from accord_yourtype import exports, files, report
from annotate.tasktypes import (
    AnswerPart,
    CannotBuild,
    Check,
    Design,
    DesignReport,
    Grade,
    InvalidAnswer,
    Methods,
    MethodText,
    Option,
    QuestionDraft,
    Reports,
    TaskType,
    draw_held_out,
)

GUIDELINES = """
Read each statement. Decide whether it is true.

If you are not sure, choose the answer that is more likely.
"""


class YourType(TaskType):
    """Payloads have the form {"item": key, "statement": text}. A stored value is {"yes": true or false}."""

    slug = "yourtype"
    name = "Your type"
    purpose = "answer yes or no about a statement"
    asks = "{ask}"
    module = "yourtype/question.js"
    guide = "yourtype"
    options = (Option("ask", "Question", "Is this statement true?", gives_meaning=True),)
    settings = {"judgements": 3, "questions_per_hit": 5, "gold_block": 5}
    guidelines = GUIDELINES
    items_help = "Import a file with the columns `id` and `statement`. All other columns are stored as metadata."
    item_columns = files.ITEM_COLUMNS
    arrangements = (("statement",), ("id", "statement"))
    reports = Reports(
        report.columns,
        {"results": report.results},
        headline=report.HEADLINE,
        explanations=report.EXPLANATIONS,
        pages={"": "accord_yourtype.console:summary"},
    )
    exports = exports.EXPORTS
    batch = True

    def read_items(self, data, name, options, limits):
        return files.read_items(data, name, limits)

    def gold_columns(self, options):
        return files.GOLD_COLUMNS

    def read_gold(self, data, name, options, items):
        return files.read_gold(data, name)

    def build_questions(self, items, options, seed, progress):
        if not items:
            raise CannotBuild("Import statements first.")
        ordered = sorted(items, key=lambda item: draw(seed, "order", item.key))
        longest = max(len(item.content["statement"].split()) for item in items)
        check = Check.of("Longest statement", f"{longest} words", "at most 40 words are easy to read", longest <= 40)
        return Design([question_of(item, item.key) for item in ordered], DesignReport([check]))

    def draw_candidates(self, items, taken, count, options, seed):
        drawn = draw_held_out(items, taken, count, seed)
        return [question_of(item, f"candidate-{number}") for number, item in enumerate(drawn, start=1)]

    def item_keys(self, payload):
        return [payload["item"]] if "item" in payload else []

    def present(self, payload, shown, items, options):
        return {"statement": payload["statement"], **self.present_shared(options)}

    def present_shared(self, options):
        return {"ask": options["ask"]}

    def clean(self, payload, shown, raw, options):
        if not isinstance(raw, dict) or not isinstance(raw.get("yes"), bool):
            raise InvalidAnswer("yes", _("Choose Yes or No."))
        return {"yes": raw["yes"]}

    def reveal(self, payload, shown, value):
        return value

    def grade(self, payload, gold, value, options):
        return Grade.of(value == gold)

    def simulate(self, payload, shown, truth, options, careless, generator):
        likely = 0.5 if careless else truth.get(payload.get("item"), 0.9)
        return {"yes": bool(generator.random() < likely)}

    def in_words(self, payload, shown, value, options):
        return "yes" if value["yes"] else "no"

    def question_texts(self, payload, contents):
        return [payload["statement"]]

    def differing_parts(self, payload, given, expected, contents, options):
        own, right = (_("Yes") if value["yes"] else _("No") for value in (given, expected))
        return [AnswerPart("", [own])], [AnswerPart("", [right])]

    def describe_measure(self, measure):
        return _("share of check questions that you answered as expected")

    def methods(self, facts, result):
        task = MethodText("Annotators answered a question about each statement with yes or no.")
        return Methods([task], agreement=super().methods(facts, result).agreement)


def question_of(item, ref):
    return QuestionDraft(ref, {"item": item.key, "statement": item.content["statement"]})
