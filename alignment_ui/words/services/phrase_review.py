"""Services that draw phrase pairs for review and save reviewers' verdicts."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Max

from accord_core.numerics.draws import generator
from accord_core.pairs.numerics.links import Kind
from accord_core.words.numerics.phrases import PhrasePair, atomic_phrase_pairs, without_identical
from alignment_ui.words.columns import collected, columns
from alignment_ui.words.models import PhraseVerdict, SampledPhrase
from annotate.toolkit import (
    Action,
    Actor,
    Refused,
    Study,
    User,
    locked_study,
    permitted_study,
    record,
    refuse_if_archived,
    study_data,
    write,
)

MOST = 1_000


def draw_sample(
    study_id: int, *, count: int, user: Actor, links: str = SampledPhrase.Links.ALL, subcorpus: str = ""
) -> int:
    """Draw `count` atomic phrase pairs from the study's final alignments, excluding pairs of identical words.

    The phrase pairs follow from `links`, which are all links or the sure links. An empty `subcorpus` stands for all
    subcorpora. Every phrase pair has the same probability of being drawn. The study's seed and the sample number
    determine which pairs are drawn. Returns the number of the sample. Raises `Refused` with `invalid` if the count is
    out of range or the kind of links or the subcorpus is unknown, or with `too-few` and the number of phrase pairs if
    there are not enough.
    """
    if not 1 <= count <= MOST:
        raise Refused("invalid", f"A sample must have 1 to {MOST:,} phrase pairs.", status=400)
    if links not in SampledPhrase.Links.values:
        raise Refused("invalid", f"The kind of links must be {' or '.join(SampledPhrase.Links.values)}.", status=400)
    with write():
        study = locked_study(study_id, user, Action.REVIEW)
        phrases = _phrase_pairs(study, links, subcorpus)
        if len(phrases) < count:
            raise Refused(
                "too-few",
                f"The sample is too large, because the chosen alignments contain only {len(phrases):,} atomic phrase "
                "pairs with different words.",
                status=400,
            )
        number = 1 + (SampledPhrase.objects.filter(study=study).aggregate(last=Max("sample"))["last"] or 0)
        chosen = generator(study.seed, "phrase sample", number).choice(len(phrases), size=count, replace=False)
        SampledPhrase.objects.bulk_create(
            SampledPhrase(
                study=study,
                sample=number,
                place=place,
                links=links,
                subcorpus=subcorpus,
                question_id=phrases[index][0],
                **phrases[index][1]._asdict(),
            )
            for place, index in enumerate(chosen.tolist(), start=1)
        )
        record(
            study,
            "drew phrase pairs",
            user=user,
            sample=number,
            count=count,
            of=len(phrases),
            links=links,
            subcorpus=subcorpus,
        )
        return number


def judge(verdicts: Mapping[str, str], *, study_id: int, user: User) -> int:
    """Save a reviewer's verdicts on phrase pairs, which are identified by their keys. Either all verdicts are saved or
    none.

    A new verdict replaces the previous verdict. Keys that do not belong to the study are ignored. Returns the number of
    saved verdicts. Raises `Refused` with `invalid` for an unknown verdict.
    """
    for verdict in verdicts.values():
        if verdict not in PhraseVerdict.Verdict.values:
            raise Refused(
                "invalid", f"The verdict must be one of {', '.join(PhraseVerdict.Verdict.values)}.", status=400
            )
    with write():
        permitted_study(study_id, user, Action.REVIEW)
        refuse_if_archived(study_id)
        known = {str(key): key for key in SampledPhrase.objects.filter(study=study_id).values_list("pk", flat=True)}
        chosen = {known[key]: verdict for key, verdict in verdicts.items() if key in known}
        for phrase, verdict in chosen.items():
            PhraseVerdict.objects.update_or_create(phrase_id=phrase, user=user, defaults={"verdict": verdict})
        return len(chosen)


def _phrase_pairs(study: Study, links: str, subcorpus: str) -> list[tuple[int, PhrasePair]]:
    """Return all atomic phrase pairs with different words, together with the keys of their questions, in question
    order. Raises `Refused` with the reason `invalid` for an unknown subcorpus.
    """
    inputs = collected(columns(study_data(study)))
    if subcorpus and subcorpus not in inputs.subcorpora:
        message = f"The study has no subcorpus “{subcorpus}”. Its subcorpora are: {', '.join(inputs.subcorpora)}."
        raise Refused("invalid", message, status=400)
    kind: Kind = "sure" if links == SampledPhrase.Links.SURE else "possible"
    questions = dict(study.questions.values_list("ref", "pk"))
    return [
        (questions[pair.ref], phrase)
        for pair, final in ((inputs.pairs[place], final) for place, final in inputs.final.items())
        if not subcorpus or pair.subcorpus == subcorpus
        for phrase in without_identical(
            atomic_phrase_pairs(final.of_kind(kind), len(pair.source), len(pair.target)), pair.source, pair.target
        )
    ]
