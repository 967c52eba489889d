from acceptability import report
from accord_core.exchange.cells import IdChecks, yes_or_no
from accord_core.exchange.faults import Fault, TableError
from accord_core.exchange.tables import Limits, read_table
from accord_core.numerics.draws import draw
from annotate.tasktypes import (
    CannotBuild,
    Check,
    Design,
    DesignReport,
    Grade,
    InvalidAnswer,
    ItemDraft,
    ItemsRead,
    Option,
    QuestionDraft,
    QuestionsRead,
    Reports,
    TaskType,
    draw_held_out,
)


class Acceptability(TaskType):
    slug = "acceptability"
    name = "Acceptability"
    module = "acceptability/question.js"
    options = (Option("ask", "Question", "Is this sentence acceptable?"),)
    settings = {"judgements": 3, "questions_per_hit": 5}
    guidelines = "Read each sentence. Decide whether a native speaker could say it."
    reports = Reports(
        report.columns,
        {"results": report.results},
        headline=report.HEADLINE,
        pages={"": "acceptability.console:summary"},
    )
    batch = True

    def read_items(self, data, name, options, limits):
        try:
            table = read_table(data, name=name, limits=Limits(rows=limits["rows"], bytes=limits["bytes"]))
        except TableError as error:
            return ItemsRead([], error.faults, [], [])
        faults = []
        ids = IdChecks(faults)
        items = []
        for row in table.rows:
            key = ids.check(row.values.get("id", ""), row.line, "id")
            text = row.values.get("text", "").strip()
            if not text:
                faults.append(Fault(row.line, "text", "the cell is empty"))
            held_out = yes_or_no(row.values.get("gold_only", ""), row.line, "gold_only", faults)
            items.append(ItemDraft(key, {"text": text}, held_out=held_out))
        return ItemsRead(items, faults, [], table.columns)

    def read_gold(self, data, name, options, items):
        try:
            table = read_table(data, name=name, limits=Limits())
        except TableError as error:
            return QuestionsRead([], error.faults)
        faults = []
        questions = []
        for row in table.rows:
            expected = yes_or_no(row.values.get("expected", ""), row.line, "expected", faults)
            payload = {"text": row.values.get("text", "")}
            why = row.values.get("explanation", "")
            questions.append(QuestionDraft(row.values["id"], payload, gold={"yes": expected}, explanation=why))
        return QuestionsRead(questions, faults)

    def build_questions(self, items, options, seed, progress):
        if not items:
            raise CannotBuild("Import sentences first.")
        ordered = sorted(items, key=lambda item: draw(seed, "order", item.key))
        longest = max(len(item.content["text"].split()) for item in items)
        check = Check.of("Longest sentence", f"{longest} words", "at most 40 words are easy to read", longest <= 40)
        return Design([question_of(item, item.key) for item in ordered], DesignReport([check]))

    def draw_candidates(self, items, taken, count, options, seed):
        drawn = draw_held_out(items, taken, count, seed)
        return [question_of(item, f"candidate-{number}") for number, item in enumerate(drawn, start=1)]

    def item_keys(self, payload):
        return [payload["item"]] if "item" in payload else []

    def present(self, payload, shown, items, options):
        return {"text": payload["text"], **self.present_shared(options)}

    def present_shared(self, options):
        return {"ask": options["ask"]}

    def clean(self, payload, shown, raw, options):
        if not isinstance(raw, dict) or not isinstance(raw.get("yes"), bool):
            raise InvalidAnswer("yes", "Choose Yes or No.")
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


def question_of(item, ref):
    return QuestionDraft(ref, {"item": item.key, "text": item.content["text"]})
