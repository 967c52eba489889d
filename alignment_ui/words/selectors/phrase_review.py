"""Sampled phrase pairs for one reviewer, and the results of all reviewers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Count, QuerySet
from django.db.models.fields.json import KeyTextTransform

from accord_core.numerics.agreement import fleiss_kappa, raw_agreement
from accord_core.numerics.bootstrap import Coefficient
from accord_core.numerics.cohen import cohen_kappa_means
from accord_core.numerics.intervals import wilson_interval
from accord_core.numerics.labels import Labels
from alignment_ui.words.models import PhraseVerdict, SampledPhrase
from annotate.toolkit import Study, User

VERDICTS = PhraseVerdict.Verdict.values
RESAMPLES = 1_000


@dataclass(frozen=True)
class Sample:
    """A sample of phrase pairs, with its number, its size, and the links and subcorpus from which it was drawn. An
    empty `subcorpus` means all subcorpora.
    """

    number: int
    phrases: int
    links: str
    subcorpus: str

    @property
    def source(self) -> str:
        """Return the links and the subcorpus as text, such as “sure links, news”."""
        return ", ".join([SampledPhrase.Links(self.links).label, *([self.subcorpus] if self.subcorpus else [])])


@dataclass(frozen=True)
class Sentence:
    """A sentence divided into the text before a phrase, the phrase, and the text after it."""

    before: str
    phrase: str
    after: str


@dataclass(frozen=True)
class PhraseRow:
    phrase: SampledPhrase
    source: Sentence
    target: Sentence
    own: str  # the reviewer's own verdict, or an empty string


@dataclass(frozen=True)
class Review:
    """The review results for a sample. Each row in `shares` contains a verdict with its count, share and confidence
    interval.
    """

    phrases: int
    reviewers: list[tuple[str, int]]  # name and number of verdicts
    shares: list[tuple[str, int, float, tuple[float, float]]]
    kappa: Coefficient | None  # Cohen's κ for two reviewers, Fleiss' κ for more, None for one
    kappa_name: str
    raw: Coefficient | None


def samples_of(study: Study) -> list[Sample]:
    """Return the study's samples, newest first."""
    rows = SampledPhrase.objects.filter(study=study).values_list("sample", "links", "subcorpus")
    return [
        Sample(number, phrases, links, subcorpus)
        for number, links, subcorpus, phrases in rows.annotate(phrases=Count("pk")).order_by("-sample")
    ]


def subcorpora_of(study: Study) -> list[str]:
    """Return the names of the subcorpora among the study's items, in alphabetical order."""
    name = KeyTextTransform(study.options["subcorpus"], "metadata")
    return sorted(filter(None, study.items.annotate(name=name).values_list("name", flat=True).distinct()))


def phrases_of(study: Study, sample: int) -> QuerySet[SampledPhrase]:
    return SampledPhrase.objects.filter(study=study, sample=sample).select_related("question").order_by("place")


def phrase_rows(phrases: Sequence[SampledPhrase], user: User) -> list[PhraseRow]:
    """Return rows with only the reviewer's own verdicts, so that reviewers do not influence each other."""
    own = dict(PhraseVerdict.objects.filter(phrase__in=phrases, user=user).values_list("phrase", "verdict"))
    return [
        PhraseRow(
            phrase,
            _around(phrase.question.payload["source"], phrase.source_start, phrase.source_end),
            _around(phrase.question.payload["target"], phrase.target_start, phrase.target_end),
            own.get(phrase.pk, ""),
        )
        for phrase in phrases
    ]


def review_of(study: Study, sample: int) -> Review:
    """Return each verdict's share with a Wilson interval, and the agreement between reviewers with bootstrap
    intervals.
    """
    phrases = list(phrases_of(study, sample).values_list("pk", flat=True))
    verdicts = list(
        PhraseVerdict.objects.filter(phrase__in=phrases)
        .order_by("user", "phrase")
        .values_list("phrase", "user", "user__name", "user__email", "verdict")
    )
    names: Mapping[int, str] = {user: name or email for _, user, name, email, _ in verdicts}
    counts = Counter(verdict for *_, verdict in verdicts)
    shares = [
        (
            verdict,
            counts[verdict],
            counts[verdict] / len(verdicts),
            wilson_interval(counts[verdict], len(verdicts)) or (0, 1),
        )
        for verdict in VERDICTS
        if verdicts
    ]
    counts_by_user = Counter(user for _, user, *_ in verdicts)
    kappa, name, raw = _agreement(phrases, [(phrase, user, verdict) for phrase, user, _, _, verdict in verdicts])
    return Review(len(phrases), [(names[user], counts_by_user[user]) for user in names], shares, kappa, name, raw)


def _agreement(
    phrases: Sequence[int], verdicts: Sequence[tuple[int, int, str]]
) -> tuple[Coefficient | None, str, Coefficient | None]:
    users = sorted({user for _, user, _ in verdicts})
    if len(users) < 2:
        return None, "", None
    place = {phrase: number for number, phrase in enumerate(phrases)}
    labels = Labels(
        np.array([place[phrase] for phrase, _, _ in verdicts]),
        np.array([users.index(user) for _, user, _ in verdicts]),
        np.array([VERDICTS.index(verdict) for *_, verdict in verdicts]),
        len(phrases),
        len(users),
        len(VERDICTS),
    )
    raw = raw_agreement(labels, resamples=RESAMPLES)
    if len(users) == 2:
        return cohen_kappa_means(labels, resamples=RESAMPLES)[0], "Cohen’s κ", raw
    return fleiss_kappa(labels, resamples=RESAMPLES), "Fleiss’ κ", raw


def _around(tokens: Sequence[Any], start: int, end: int) -> Sentence:
    return Sentence(" ".join(tokens[:start]), " ".join(tokens[start:end]), " ".join(tokens[end:]))
