"""The console page on which reviewers judge a random sample of atomic phrase pairs as correct, incorrect or
uncertain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render

from accord_core.numerics.printed import with_noun
from alignment_ui.words.models import SampledPhrase
from alignment_ui.words.selectors import phrase_review as phrase_selectors
from alignment_ui.words.services.phrase_review import MOST, draw_sample, judge
from annotate.toolkit import ConsoleForm, ConsoleRequest, Study, messages, page_of

PAGE = 8  # the reviewer sees a page at a time, each phrase pair in its two sentences
FIELD = "phrase-"
LABELS = {"correct": "Correct", "incorrect": "Incorrect", "uncertain": "Uncertain"}


class SampleForm(ConsoleForm):
    count = forms.IntegerField(
        min_value=1,
        max_value=MOST,
        initial=48,
        label="Phrase pairs to draw",
        help_text="Phrase pairs are drawn at random from the current alignments. Pairs of identical words are "
        "excluded.",
    )
    links = forms.ChoiceField(
        choices=[(value, label.capitalize()) for value, label in SampledPhrase.Links.choices],
        label="Links that define the phrase pairs",
        help_text="If you choose sure links, possible links are ignored when the phrase pairs are derived.",
    )

    def __init__(self, *args: Any, subcorpora: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if len(subcorpora) > 1:
            choices = [("", "All subcorpora"), *((name, name) for name in subcorpora)]
            self.fields["subcorpus"] = forms.ChoiceField(choices=choices, required=False, label="Subcorpus")
            self._dress()


def phrase_review(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show a sample with the reviewer's own verdicts, and a summary of all verdicts. Handle requests for new samples
    and submitted verdicts.
    """
    if request.method == "POST" and "count" in request.POST:
        return _draw(request, study)
    if request.method == "POST":
        return _keep(request, study)
    return _page(request, study, SampleForm(subcorpora=phrase_selectors.subcorpora_of(study)))


def _draw(request: ConsoleRequest, study: Study) -> HttpResponse:
    form = SampleForm(request.POST, subcorpora=phrase_selectors.subcorpora_of(study))
    if form.is_valid():
        with form.show_refusals():
            number = draw_sample(study.pk, **form.cleaned_data, user=request.user)
            messages.success(
                request,
                f"Sample {number} was drawn. The sample has {with_noun(form.cleaned_data['count'], 'phrase pair')}.",
            )
            return redirect(f"{request.path}?sample={number}")
    return _page(request, study, form, status=422)


def _keep(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Save the verdicts chosen on the page, and redirect to the next page."""
    verdicts = (
        (name.removeprefix(FIELD), str(value)) for name, value in request.POST.items() if name.startswith(FIELD)
    )
    saved = judge(dict(verdicts), study_id=study.pk, user=request.user)
    messages.success(request, f"{saved} verdict{'' if saved == 1 else 's'} saved.")
    onwards = urlencode({"sample": request.POST.get("sample", ""), "page": request.POST.get("next", "")})
    return redirect(f"{request.path}?{onwards}")


def _page(request: ConsoleRequest, study: Study, form: SampleForm, status: int = 200) -> HttpResponse:
    samples = phrase_selectors.samples_of(study)
    requested = request.GET.get("sample", "")
    by_number = {str(each.number): each for each in samples}
    sample = by_number.get(requested, samples[0] if samples else None)
    context = {"study": study, "form": form, "samples": samples, "sample": sample, "labels": LABELS}
    if sample is not None:
        page = page_of(phrase_selectors.phrases_of(study, sample.number), request.GET, PAGE)
        context |= {
            "page": page,
            "query": f"sample={sample.number}&",
            "next": page.next_page_number() if page.has_next() else page.number,
            "rows": phrase_selectors.phrase_rows(list(page), request.user),
            "review": phrase_selectors.review_of(study, sample.number),
        }
    return render(request, "words/phrase_review.html", context, status=status)
