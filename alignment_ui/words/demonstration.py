"""The phrase-pair review in the example word alignment study."""

from __future__ import annotations

from accord_core.numerics.draws import draw
from alignment_ui.words.models import PhraseVerdict, SampledPhrase
from alignment_ui.words.services.phrase_review import draw_sample, judge
from annotate.toolkit import Study, User

SAMPLE = 20  # phrase pairs
CORRECT = 0.8  # share of the phrase pairs that the reviewer accepts


def review_phrases(study: Study, user: User) -> None:
    """Draw a sample of phrase pairs, and judge every pair in it."""
    number = draw_sample(study.pk, count=SAMPLE, user=user)
    first, *others = PhraseVerdict.Verdict.values
    verdicts = {
        str(key): first if draw(study.seed, "verdict", place) < CORRECT else others[place % len(others)]
        for place, key in enumerate(
            SampledPhrase.objects.filter(study=study, sample=number).order_by("place").values_list("pk", flat=True)
        )
    }
    judge(verdicts, study_id=study.pk, user=user)
