"""The downloads for a paraphrase study, which contain labels by sentence and by domain, votes, and quality control."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from accord_core.exchange.csvtext import write_csv
from accord_core.exchange.label_studio_labels import (
    LabelledItem,
    label_studio_label_config,
    write_label_studio_labels,
)
from accord_core.exchange.lewidi import Entry, write_lewidi
from annotate.tasktypes import ANSWER_FILES, OTHER_FORMATS, Export, ItemDraft, QuestionDraft, StudyData
from annotate.tasktypes.common_fields import LABEL_STUDIO_TASKS, LEWIDI_OBJECTS
from paraphrase import row_fields
from paraphrase.soft_labels import NAMES, SOFT_LABELS

CSV = "text/csv; charset=utf-8"
Result = Mapping[str, Any] | None
WORDS = {1: "good", 0: "bad", -1: "undecided"}
METHODS = ("weighted", "one_coin", "dawid_skene")


def labels_by_sentence(data: StudyData, result: Result) -> Iterable[bytes]:
    """Yield one row per candidate in its sentence, with the majority label, the votes, the other methods' labels and
    the metadata of the item.
    """
    report, lookup = _result(result), _StudyLookup(data)
    labels, reviewed = report["labels"], reviewed_candidates(report)
    methods = [name for name in METHODS if name in labels]
    header = ["item", "domain", "phrase", "paraphrase", "label", "yes", "votes", "decided_by_reviewer"]
    header += [*methods, "sentence", "start"]
    names = dict.fromkeys(name for item in lookup.items.values() for name in item.metadata)
    metadata = [name for name in names if name not in header]

    def rows() -> Iterator[list[str]]:
        for number, item, text in lookup.in_item_order(report):
            yield [
                item.key,
                item.metadata["domain"],
                item.content["phrase"],
                text,
                _label(labels["majority"][number], labels["n"][number]),
                str(labels["yes"][number]),
                str(labels["n"][number]),
                reviewed.get(number, ""),
                *(_label(labels[name][number], labels["n"][number]) for name in methods),
                item.content["sentence"],
                str(item.content["start"]),
                *(item.metadata.get(name, "") for name in metadata),
            ]

    return _utf8(write_csv(rows(), [*header, *metadata]))


def reviewed_candidates(report: Mapping[str, Any]) -> dict[int, str]:
    """Return `yes` for each candidate with a reviewer's label, and `kept` if a reviewer accepted all answers."""
    kept = report.get("kept", [])  # added after the first reports
    return dict.fromkeys(kept, "kept") | dict.fromkeys(report["decided"], "yes")


def labels_by_domain(data: StudyData, result: Result) -> Iterable[bytes]:
    """Yield one row per phrase–paraphrase pair in a domain, with the number of sentences that have each label."""
    report, lookup = _result(result), _StudyLookup(data)
    pairs, words = report["pairs"], lookup.words(report)

    def rows() -> Iterator[list[str]]:
        for row, first in enumerate(pairs["first"]):
            phrase, text = words[first]
            counts = [str(pairs[name][row]) for name in ("good", "bad", "undecided")]
            yield [phrase, text, report["domains"][pairs["domain"][row]], WORDS[pairs["label"][row]], *counts]

    header = ["phrase", "paraphrase", "domain", "label", "sentences_good", "sentences_bad", "sentences_undecided"]
    return _utf8(write_csv(rows(), header))


def domain_against_domain(data: StudyData, result: Result) -> Iterable[bytes]:
    """Yield the rows of Table 1 in the paper: pairs that are good in one domain and bad in another, with one example
    sentence per row.
    """
    report, lookup = _result(result), _StudyLookup(data)
    pairs, labels = report["pairs"], report["labels"]
    everything = list(lookup.candidates(report))
    members = members_of_pairs(labels["pair"], len(pairs["first"]))

    def rows() -> Iterator[list[str]]:
        for number, contrast in enumerate(report["contrasts"], start=1):
            for row in contrast:
                for candidate in members[row]:
                    question, text = everything[candidate]
                    item = lookup.item(question)
                    yield [
                        str(number),
                        item.content["phrase"],
                        text,
                        WORDS[pairs["label"][row]],
                        report["domains"][pairs["domain"][row]],
                        _label(labels["majority"][candidate], 1),
                        str(labels["yes"][candidate]),
                        str(labels["n"][candidate]),
                        item.key,
                        item.content["sentence"],
                    ]

    header = [
        "contrast",
        "phrase",
        "paraphrase",
        "label",
        "domain",
        "label_in_sentence",
        "yes",
        "votes",
        "item",
        "sentence",
    ]
    return _utf8(write_csv(rows(), header))


def votes(data: StudyData, result: Result) -> Iterable[bytes]:
    """Yield one row for each vote that counts, in the format used by `accord labels`. In these downloads, each item is
    a candidate paraphrase in its sentence.
    """
    lookup = _StudyLookup(data)

    def rows() -> Iterator[list[str]]:
        for row in data.answers:
            if not row.counts:
                continue
            question = lookup.questions[row.ref]
            item = lookup.item(question)
            for text, vote in zip(question.payload["paraphrases"], row.value["votes"], strict=True):
                yield [
                    f"{item.key}/{text}",
                    row.pseudonym,
                    "yes" if vote else "no",
                    item.key,
                    item.content["phrase"],
                    text,
                    item.metadata["domain"],
                    "" if row.seconds is None else f"{row.seconds:.1f}",
                ]

    header = ["item", "annotator", "label", "sentence", "phrase", "paraphrase", "domain", "seconds"]
    return _utf8(write_csv(rows(), header))


def label_studio(data: StudyData, result: Result) -> Iterable[bytes]:
    """Yield one Label Studio task per candidate in its sentence, with one annotation for each vote that counts."""
    return _utf8(write_label_studio_labels(_labelled(data)))


def lewidi(data: StudyData, result: Result) -> Iterable[bytes]:
    """Yield the candidates that have votes in LeWiDi's JSON format."""
    texts = ("text", "phrase", "paraphrase")
    entries = (
        Entry(
            each.item,
            "paraphrase in context",
            {name: each.facts[name] for name in texts},
            dict(each.labels),
            NAMES,
            data.facts["language"],
            {name: value for name, value in each.facts.items() if name not in texts},
        )
        for each in _labelled(data)
    )
    return _utf8(write_lewidi(entries))


def _labelled(data: StudyData) -> Iterator[LabelledItem]:
    """Yield each candidate in its sentence, with the votes that count."""
    lookup = _StudyLookup(data)
    votes: dict[tuple[str, int], list[tuple[str, str]]] = {}
    for row in data.answers:
        for number, vote in enumerate(row.value["votes"]) if row.counts else ():
            votes.setdefault((row.ref, number), []).append((row.pseudonym, "yes" if vote else "no"))
    for question in data.questions:
        item = lookup.item(question)
        for number, text in enumerate(question.payload["paraphrases"]):
            facts = {
                "text": item.content["sentence"],
                "phrase": item.content["phrase"],
                "start": str(item.content["start"]),
                "paraphrase": text,
                "domain": item.metadata["domain"],
                "sentence_id": item.key,
            }
            yield LabelledItem(f"{item.key}/{text}", facts, votes.get((question.ref, number), []))


def label_studio_settings(data: StudyData, result: Result) -> Iterable[bytes]:
    """Yield the labelling configuration, which is the same for all studies."""
    return [label_studio_label_config(NAMES, further=("phrase", "paraphrase")).encode()]


def quality_control_answers(data: StudyData, result: Result) -> Iterable[bytes]:
    """Yield every vote on a quality-control candidate, including votes by stopped annotators."""
    gold = {question.ref: question for question in data.gold}
    lookup = _StudyLookup(data)

    def rows() -> Iterator[list[str]]:
        for row in data.answers:
            question = gold.get(row.ref)
            if question is None or row.passed is None:
                continue
            content = question.payload.get("content") or lookup.items[question.payload["item"]].content
            expected = question.gold["votes"]
            for text, good, vote in zip(content["paraphrases"], expected, row.value["votes"], strict=True):
                kind = "synonym" if good else "random word"
                yield [
                    row.pseudonym,
                    "" if row.hit is None else str(row.hit),
                    row.ref,
                    content["phrase"],
                    text,
                    kind,
                    "yes" if vote else "no",
                    "yes" if good == vote else "no",
                ]

    header = ["annotator", "hit", "question", "phrase", "candidate", "kind", "label", "as_expected"]
    return _utf8(write_csv(rows(), header))


def members_of_pairs(pair_of: Iterable[int], rows: int) -> list[list[int]]:
    """Return the candidates for each row in a report's `pairs`."""
    members: list[list[int]] = [[] for _ in range(rows)]
    for candidate, row in enumerate(pair_of):
        if row >= 0:
            members[row].append(candidate)
    return members


EXPORTS = (
    Export(
        "labels-by-sentence.csv",
        CSV,
        "label and votes of every phrase and paraphrase in its sentence",
        labels_by_sentence,
        True,
        note="In the column decided_by_reviewer, yes marks a reviewer’s label. The value kept means that a reviewer "
        "accepted all answers, and the label comes from the votes.",
        item_column="item",
        rows=row_fields.LABELS_BY_SENTENCE,
    ),
    Export(
        "labels-by-domain.csv",
        CSV,
        "label of every phrase and paraphrase in a domain",
        labels_by_domain,
        True,
        rows=row_fields.LABELS_BY_DOMAIN,
    ),
    Export(
        "domain-against-domain.csv",
        CSV,
        "pairs good in one domain and bad in another, with their sentences",
        domain_against_domain,
        True,
        rows=row_fields.DOMAIN_AGAINST_DOMAIN,
    ),
    Export(
        "votes.csv",
        CSV,
        "the votes that count, with the columns item, annotator and label, for `accord labels`",
        votes,
        item_column="sentence",
        group=ANSWER_FILES,
        rows=row_fields.VOTES,
    ),
    SOFT_LABELS,
    Export(
        "label-studio.json",
        "application/json",
        "candidates in their sentences as tasks of Label Studio, with one annotation per vote",
        label_studio,
        note="The file label-studio.xml contains the labelling configuration of a Label Studio project for these "
        "tasks. The e-mail address in the tasks is the annotator's pseudonym.",
        group=OTHER_FORMATS,
        rows=LABEL_STUDIO_TASKS,
    ),
    Export(
        "label-studio.xml",
        "application/xml",
        "labelling configuration of a Label Studio project for label-studio.json",
        label_studio_settings,
        group=OTHER_FORMATS,
    ),
    Export(
        "lewidi.json",
        "application/json",
        "candidates in their sentences with each annotator’s vote, in the format of the shared tasks on learning with "
        "disagreements (LeWiDi)",
        lewidi,
        group=OTHER_FORMATS,
        rows=LEWIDI_OBJECTS,
    ),
    Export(
        "quality-control-answers.csv",
        CSV,
        "votes on synonyms and random words, and what was expected",
        quality_control_answers,
        group=ANSWER_FILES,
        rows=row_fields.QUALITY_CONTROL_ANSWERS,
    ),
)


class _StudyLookup:
    """The questions by reference, and the items' contents by key."""

    def __init__(self, data: StudyData) -> None:
        self.questions = {question.ref: question for question in data.questions}
        self.items = {item.key: item for item in data.items}

    def item(self, question: QuestionDraft) -> ItemDraft:
        return self.items[question.payload["item"]]

    def candidates(self, result: Mapping[str, Any]) -> Iterator[tuple[QuestionDraft, str]]:
        """Yield each candidate's (question, text), in the order of the candidate numbers in the report."""
        for ref in result["sentences"]["ref"]:
            question = self.questions[ref]
            for text in question.payload["paraphrases"]:
                yield question, text

    def in_item_order(self, result: Mapping[str, Any]) -> list[tuple[int, ItemDraft, str]]:
        """Return each candidate's (number in the report, item, text), in the order of the study's items."""
        places = {key: place for place, key in enumerate(self.items)}
        rows = [(number, self.item(question), text) for number, (question, text) in enumerate(self.candidates(result))]
        return sorted(rows, key=lambda row: places[row[1].key])

    def words(self, result: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Return the (phrase, paraphrase) pair of each candidate."""
        return [(self.item(question).content["phrase"], text) for question, text in self.candidates(result)]


def _label(label: int, votes: int) -> str:
    return WORDS[label] if votes else ""


def _result(result: Result) -> Mapping[str, Any]:
    if not result or "labels" not in result:
        raise LookupError("There are no labels yet. Calculate the results first.")
    return result


def _utf8(chunks: Iterable[str]) -> Iterable[bytes]:
    return (chunk.encode() for chunk in chunks)
