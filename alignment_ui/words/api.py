"""The API operations for phrase-pair review, below `/api/v1/studies/<study>/`."""

from __future__ import annotations

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from alignment_ui.words.models import PhraseVerdict, SampledPhrase
from alignment_ui.words.selectors.phrase_review import phrase_rows, phrases_of, review_of, samples_of
from alignment_ui.words.services.phrase_review import MOST, draw_sample, judge
from annotate.toolkit import Action, Refused, Study
from annotate.toolkit.api import ERRORS, PAGING, ConditionalView, ResearchView, pages_of

TASK_TYPE = "words"


class SampleShape(serializers.Serializer):
    number = serializers.IntegerField(help_text="Number of the sample, starting at 1.")


class SampleSummaryShape(SampleShape):
    phrases = serializers.IntegerField(help_text="Number of phrase pairs in the sample.")
    links = serializers.ChoiceField(
        SampledPhrase.Links.choices, help_text="The phrase pairs are derived from these links."
    )
    subcorpus = serializers.CharField(
        allow_blank=True,
        help_text="The sample was drawn from this subcorpus. An empty string stands for all subcorpora.",
    )


class SampleDraft(serializers.Serializer):
    count = serializers.IntegerField(min_value=1, max_value=MOST, default=48, help_text="Number of phrase pairs.")
    links = serializers.ChoiceField(
        SampledPhrase.Links.choices,
        default=SampledPhrase.Links.ALL,
        help_text="The phrase pairs are derived from these links.",
    )
    subcorpus = serializers.CharField(
        max_length=200, allow_blank=True, default="", help_text="Subcorpus, or an empty string for all subcorpora."
    )


class SentenceShape(serializers.Serializer):
    before = serializers.CharField(help_text="The text before the phrase.")
    phrase = serializers.CharField()
    after = serializers.CharField(help_text="The text after the phrase.")


class PhraseShape(serializers.Serializer):
    """A phrase pair, without other reviewers' verdicts."""

    id = serializers.CharField(
        source="phrase.pk", help_text="ID of the phrase pair, which you must send with a verdict."
    )
    question = serializers.CharField(source="phrase.question.ref")
    source = SentenceShape()  # type: ignore[assignment]  # not a field's own source
    target = SentenceShape()
    verdict = serializers.ChoiceField(
        PhraseVerdict.Verdict.choices, source="own", allow_blank=True, help_text="Your verdict, or an empty string."
    )


class VerdictsDraft(serializers.Serializer):
    verdicts = serializers.DictField(
        child=serializers.ChoiceField(PhraseVerdict.Verdict.choices),
        help_text="Your verdicts, by phrase pair ID. Unknown IDs are ignored.",
    )


class SavedShape(serializers.Serializer):
    saved = serializers.IntegerField(help_text="Number of saved verdicts.")


class ReviewerShape(serializers.Serializer):
    name = serializers.CharField()
    verdicts = serializers.IntegerField(help_text="Number of verdicts.")


class VerdictShareShape(serializers.Serializer):
    verdict = serializers.ChoiceField(PhraseVerdict.Verdict.choices)
    count = serializers.IntegerField()
    share = serializers.FloatField()
    low = serializers.FloatField(help_text="Lower end of the 95% interval.")
    high = serializers.FloatField(help_text="Upper end of the 95% interval.")


class PhraseReviewShape(serializers.Serializer):
    """All reviewers' verdicts on a sample."""

    phrases = serializers.IntegerField(help_text="Number of phrase pairs in the sample.")
    reviewers = ReviewerShape(many=True)
    shares = VerdictShareShape(many=True)
    kappa = serializers.FloatField(
        allow_null=True, help_text="Agreement between reviewers, as Cohen’s κ for two reviewers or Fleiss’ κ for more."
    )


class SamplesView(ResearchView):
    @extend_schema(
        tags=["phrase pairs"],
        operation_id="phrase_samples_list",
        responses={200: SampleSummaryShape(many=True), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the phrase-pair samples of a word alignment study, newest first."""
        return Response(SampleSummaryShape(samples_of(of_words(self.study(study))), many=True).data)

    @extend_schema(tags=["phrase pairs"], request=SampleDraft, responses={201: SampleShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Draw a random sample of phrase pairs from the final alignments of a word alignment study."""
        target = of_words(self.study(study, may=Action.REVIEW))
        number = draw_sample(target.pk, **self.validated(SampleDraft), user=self.user)
        return Response({"number": number}, status=status.HTTP_201_CREATED)


class PhrasesView(ResearchView):
    @extend_schema(
        tags=["phrase pairs"],
        operation_id="phrases_list",
        parameters=PAGING,
        responses={200: pages_of(PhraseShape), **ERRORS},
    )
    def get(self, request: Request, study: str, number: int) -> Response:
        """Return the phrase pairs in a sample, with your own verdicts."""
        phrases = phrases_of(_sample(of_words(self.study(study)), number), number)
        return self.page(phrases, PhraseShape, lambda part: phrase_rows(part, self.user))


class VerdictsView(ConditionalView):
    @extend_schema(tags=["phrase pairs"], responses={200: PhraseReviewShape, **ERRORS})
    def get(self, request: Request, study: str, number: int) -> Response:
        """Return how often each verdict was given on a sample, and the agreement between the reviewers."""
        review = review_of(_sample(of_words(self.study(study)), number), number)
        body = {
            "phrases": review.phrases,
            "reviewers": [{"name": name, "verdicts": count} for name, count in review.reviewers],
            "shares": [
                {"verdict": verdict, "count": count, "share": share, "low": interval[0], "high": interval[1]}
                for verdict, count, share, interval in review.shares
            ],
            "kappa": review.kappa and review.kappa.value,
        }
        return Response(PhraseReviewShape(body).data)

    @extend_schema(tags=["phrase pairs"], request=VerdictsDraft, responses={200: SavedShape, **ERRORS})
    def put(self, request: Request, study: str, number: int) -> Response:
        """Save your verdicts on phrase pairs. A new verdict replaces your previous one."""
        target = _sample(of_words(self.study(study, may=Action.REVIEW)), number)
        verdicts = self.validated(VerdictsDraft)["verdicts"]
        return Response({"saved": judge(verdicts, study_id=target.pk, user=self.user)})


def of_words(study: Study) -> Study:
    """Return the study. Raise `Refused` (404) if the study has another task type."""
    if study.task_type != TASK_TYPE:
        raise Refused("unknown", "Only word-alignment studies have phrase pairs.", status=404)
    return study


def _sample(study: Study, number: int) -> Study:
    """Return the study. Raise `Refused` (404) if the study has no sample with this number."""
    if not SampledPhrase.objects.filter(study=study, sample=number).exists():
        raise Refused("unknown", "This study has no sample with this number.", status=404)
    return study


urlpatterns = [
    path("phrase-samples", SamplesView.as_view(), name="phrase-samples"),
    path("phrase-samples/<int:number>", PhrasesView.as_view(), name="phrase-sample"),
    path("phrase-samples/<int:number>/verdicts", VerdictsView.as_view(), name="phrase-verdicts"),
]
