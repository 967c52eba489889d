"""The quality-control page, which shows the study's questions and the strategies that pass the quality rule, and
creates new questions from WordNet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.conf import settings
from django.http import HttpResponseBase
from django.shortcuts import render

from accord_core.exchange.faults import TableError
from accord_core.numerics.draws import derived_seed
from accord_core.paraphrase.formats.quality_control import write_quality_control
from accord_core.paraphrase.formats.wordnet import read_wordnet
from accord_core.paraphrase.numerics.quality_control import TooFewQuestions, draw_quality_control
from accord_core.paraphrase.numerics.worker_accuracy import balanced_accuracy, plain_accuracy, tally
from annotate.toolkit import ConsoleForm, ConsoleRequest, Study, attachment, gold_cover, gold_of
from paraphrase.wordnet_folder import wordnet_folder

MOST_AT_ONCE = 500
FROM_EXAMPLES = 10  # questions that the form suggests if only the example dictionary is available


class DrawForm(ConsoleForm):
    count = forms.IntegerField(label="How many", min_value=1, max_value=MOST_AT_ONCE)
    seed = forms.IntegerField(label="Seed", min_value=0, help_text="The same seed always produces the same questions.")


@dataclass(frozen=True)
class Habit:
    """A strategy for answering without reading, with its choices, its accuracy, and whether it passes the quality rule.

    Each annotator sees only some of the questions. `may_pass` is true if the strategy passes on at least one single
    question.
    """

    does: str
    accuracy: float
    balanced: float
    passes: bool
    may_pass: bool


def quality_control(request: ConsoleRequest, study: Study) -> HttpResponseBase:
    """Show the page. A POST request from a manager of the study returns new questions as a CSV file, which can be
    edited and imported. If WordNet is not installed, the questions come from a small example dictionary.
    """
    installed = wordnet_folder([settings.DATA_DIR / "wordnet"])
    folder = installed or settings.SHARED_DIR / "examples" / "wordnet"
    seed = derived_seed(study.seed, "quality control") % 2**31
    form = DrawForm(initial={"seed": seed, "count": 50 if installed else FROM_EXAMPLES})
    if request.method == "POST":
        form = DrawForm(request.POST)
        if form.is_valid():
            try:
                count, seed = form.cleaned_data["count"], form.cleaned_data["seed"]
                questions = draw_quality_control(read_wordnet(folder), count, seed=seed)
                return attachment(write_quality_control(questions), f"quality-control-{seed}.csv")
            except TooFewQuestions as error:
                form.add_error("count", str(error))
            except TableError as error:
                form.add_error(None, str(error))
    gold = gold_of(study)
    sums = _expected(gold)
    context = {
        "study": study,
        "form": form,
        "folder": installed,
        "questions": len(gold),
        "sums": sums,
        "habits": habits(study, gold),
        "in_every_hit": 0 < study.gold_block <= study.questions_per_hit,
        "cover": gold_cover(study),
    }
    return render(request, "paraphrase/quality_control.html", context, status=422 if form.is_bound else 200)


def habits(study: Study, gold: Sequence[Any]) -> list[Habit]:
    """Return two accuracies over all quality-control questions, one for choosing every candidate and one for choosing
    none. The list is empty if the study has no quality-control questions.
    """
    measure = balanced_accuracy if study.rule_measure == "balanced" else plain_accuracy
    threshold = float(study.rule_threshold)

    def passes(counts: dict[str, float]) -> bool:
        share = measure(counts)
        return share is not None and share >= threshold

    rows = []
    for does, vote in (("everything", True), ("nothing", False)):
        each = [tally(key["votes"], [vote] * len(key["votes"])) for key in gold]
        sums = {name: sum(counts[name] for counts in each) for name in each[0]} if each else {}
        accuracy, balanced = plain_accuracy(sums), balanced_accuracy(sums)
        if accuracy is not None and balanced is not None:
            rows.append(Habit(does, accuracy, balanced, passes(sums), any(map(passes, each))))
    return rows


def _expected(gold: Sequence[Any]) -> dict[str, int]:
    votes = [vote for each in gold for vote in each["votes"]]
    return {"synonyms": sum(votes), "random_words": len(votes) - sum(votes)}
