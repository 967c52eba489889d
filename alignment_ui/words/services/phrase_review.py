"""Drawing phrase pairs for review, and taking down what a reviewer says of them."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Max

from alignment_ui.words.columns import collected, columns
from alignment_ui.words.models import PhraseVerdict, SampledPhrase
from alignment_ui.words.numerics.phrases import PhrasePair, atomic_phrase_pairs, without_identical
from annotate.console import Refused, Study, User, record, refuse_if_archived, study_data, write
from annotate.numerics.draws import generator

MOST = 1_000


def draw_sample(study_id: int, *, count: int, user: User) -> int:
    """Draw `count` atomic phrase pairs, those of identical words aside, from the study's final alignments.

    Each pair is as likely as any other; the study's seed and the sample's number fix which. Returns the sample's
    number. Raises `Refused`: `invalid` for a count out of range, `too-few` with how many phrase pairs there are.
    """
    if not 1 <= count <= MOST:
        raise Refused("invalid", f"Draw from 1 to {MOST:,} phrase pairs at once.", status=400)
    with write():
        study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
        found = _phrase_pairs(study)
        if len(found) < count:
            raise Refused(
                "too-few", f"The alignments hold {len(found):,} atomic phrase pairs of differing words; draw at most "
                "so many.", status=400,
            )  # fmt: skip
        number = 1 + (SampledPhrase.objects.filter(study=study).aggregate(last=Max("sample"))["last"] or 0)
        chosen = generator(study.seed, "phrase sample", number).choice(len(found), size=count, replace=False)
        SampledPhrase.objects.bulk_create(
            SampledPhrase(
                study=study, sample=number, place=place, question_id=found[index][0], **found[index][1]._asdict()
            )
            for place, index in enumerate(chosen.tolist(), start=1)
        )
        record(study, "drew phrase pairs", user=user, sample=number, count=count, of=len(found))
        return number


def judge(verdicts: Mapping[str, str], *, study_id: int, user: User) -> int:
    """Keep a reviewer's verdicts on phrase pairs of the study, by their keys: all of them or none.

    Saying it again changes a verdict. Returns how many were kept: keys that the study has not are passed over. Raises
    `Refused` (`invalid`) for what is no verdict.
    """
    for verdict in verdicts.values():
        if verdict not in PhraseVerdict.Verdict.values:
            raise Refused("invalid", f"A verdict is one of {', '.join(PhraseVerdict.Verdict.values)}.", status=400)
    with write():
        refuse_if_archived(study_id)
        known = {str(key): key for key in SampledPhrase.objects.filter(study=study_id).values_list("pk", flat=True)}
        chosen = {known[key]: verdict for key, verdict in verdicts.items() if key in known}
        for phrase, verdict in chosen.items():
            PhraseVerdict.objects.update_or_create(phrase_id=phrase, user=user, defaults={"verdict": verdict})
        return len(chosen)


def _phrase_pairs(study: Study) -> list[tuple[int, PhrasePair]]:
    """Every atomic phrase pair of differing words with the key of its question, in the order of the questions."""
    found = collected(columns(study_data(study)))
    questions = dict(study.questions.values_list("ref", "pk"))
    return [
        (questions[pair.ref], phrase)
        for pair, final in ((found.pairs[place], final) for place, final in found.final.items())
        for phrase in without_identical(
            atomic_phrase_pairs(final.links, len(pair.source), len(pair.target)), pair.source, pair.target
        )
    ]
