"""The page that creates items from two files: a file of sentences, and a table of paraphrases for phrases in them."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from annotate.exchange.faults import Fault, TableError
from annotate.forms.looks import ConsoleForm
from annotate.models import Study
from annotate.refusals import Refused
from annotate.services.reading import read_bounded
from annotate.services.uploads import receive
from annotate.views.console.access import ConsoleRequest
from paraphrase.two_files import MadeItems, make_items

SHOWN = 100


class TwoFilesForm(ConsoleForm):
    sentences = forms.FileField(
        label="Sentences",
        help_text="A file with a header row and the columns `sentence` and `domain`, and optionally `id`.",
    )
    paraphrases = forms.FileField(
        label="Paraphrases",
        help_text="A file with a header row and the columns `phrase` and `paraphrase`, and optionally `score`, "
        "which ranks the paraphrases.",
    )
    per = forms.IntegerField(
        label="Sentences for a phrase in a domain", required=False, min_value=1,
        help_text="The maximum number of sentences. Leave empty for no limit.",
    )  # fmt: skip
    seed = forms.IntegerField(
        label="Seed", min_value=0, initial=1, help_text="The same seed chooses the same sentences."
    )


def items_from_two_files(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Both files become one JSON Lines file, which is previewed and imported like any other upload."""
    form = TwoFilesForm(initial={"seed": study.seed % 2**31})
    faults: list[Fault] = []
    if request.method == "POST":
        if not request.console.may["manage"]:
            raise Refused("forbidden", "Your role cannot import data.", status=404)
        form = TwoFilesForm(request.POST, request.FILES)
        if form.is_valid():
            try:
                made = _made(form)
                name = f"{form.cleaned_data['sentences'].name} with phrases.jsonl"
                upload = receive(study, purpose="items", filename=name, data=made.json_lines, user=request.user)
                messages.info(request, _outcome(made))
                return redirect("console:upload-preview", study.public_id, upload.public_id)
            except TableError as error:
                faults = [Fault(fault.line, f"{fault.column or ''} of {error.name}", fault.message)
                          for fault in error.faults]  # fmt: skip
            except Refused as refusal:
                form.refuse(refusal)
    context = {"study": study, "form": form, "faults": faults[:SHOWN], "more": max(0, len(faults) - SHOWN)}
    return render(request, "paraphrase/two_files.html", context, status=422 if request.method == "POST" else 200)


def _made(form: TwoFilesForm) -> MadeItems:
    given = form.cleaned_data
    names = (given["sentences"].name, given["paraphrases"].name)
    made = read_bounded(
        " and ".join(names), given["sentences"].size + given["paraphrases"].size, make_items,
        given["sentences"].read(), given["paraphrases"].read(), names=names, per=given["per"], seed=given["seed"],
    )  # fmt: skip
    if not made.items:
        message = f"None of the {made.phrases:,} phrases is in any of the {made.sentences:,} sentences."
        raise Refused("nothing-found", message, fields={"paraphrases": [message]})
    return made


def _outcome(made: MadeItems) -> str:
    domains = ", ".join(f"{count:,} of {domain}" for domain, count in made.domains.most_common(8))
    rest = len(made.domains) - 8
    return (
        f"{len(made.found):,} of {made.phrases:,} phrases were found; {len(made.items):,} of {made.sentences:,} "
        f"sentences are used ({domains}{f', and {rest:,} domains more' if rest > 0 else ''}), with "
        f"{made.candidates:,} candidates in all."
    )
