"""The page that creates items from a file of sentences and a table of phrases with their paraphrases."""

from __future__ import annotations

from django import forms
from django.http import HttpResponse

from annotate.toolkit import ConsoleRequest, ItemsFile, ItemsFileForm, Refused, Study, items_from_files, read_bounded
from paraphrase.two_files import MadeItems, make_items


class TwoFilesForm(ItemsFileForm):
    sentences = forms.FileField(
        label="Sentences",
        help_text="Choose a file with a header row, the column sentence and, optionally, domain and id.",
    )
    paraphrases = forms.FileField(
        label="Paraphrases",
        help_text="Choose a file with a header row, the columns `phrase` and `paraphrase` and, optionally, `score`, "
        "which ranks the paraphrases.",
    )
    per = forms.IntegerField(
        label="Sentences for a phrase in a domain",
        required=False,
        min_value=1,
        help_text="The maximum number of sentences to choose per phrase. If this field is empty, there is no limit.",
    )
    per_domain = forms.IntegerField(
        label="Sentences in a domain",
        required=False,
        min_value=1,
        help_text="The maximum number of sentences to choose per domain. If this field is empty, there is no limit.",
    )
    seed = forms.IntegerField(
        label="Seed", min_value=0, initial=1, help_text="The same seed always chooses the same sentences."
    )

    def items(self, study: Study) -> ItemsFile:
        sentences, paraphrases = self.cleaned_data["sentences"], self.cleaned_data["paraphrases"]
        names = (sentences.name, paraphrases.name)
        result = read_bounded(
            " and ".join(names),
            sentences.size + paraphrases.size,
            make_items,
            sentences.read(),
            paraphrases.read(),
            names=names,
            per=self.cleaned_data["per"],
            per_domain=self.cleaned_data["per_domain"],
            seed=self.cleaned_data["seed"],
        )
        if not result.items:
            message = f"None of the {result.phrases:,} phrases occurs in any of the {result.sentences:,} sentences."
            raise Refused("nothing-found", message, fields={"paraphrases": [message]})
        return ItemsFile(f"{sentences.name} with phrases.jsonl", result.json_lines, _outcome(result))


def items_from_two_files(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the form for the two files. After an upload, open a preview of the resulting items."""
    return items_from_files(request, study, TwoFilesForm, "paraphrase/two_files.html", seed=study.seed % 2**31)


def _outcome(result: MadeItems) -> str:
    domains = ", ".join(f"{count:,} of {domain}" for domain, count in result.domains.most_common(8))
    rest = len(result.domains) - 8
    by_domain = f" ({domains}{f', and {rest:,} domains more' if rest > 0 else ''})" if len(result.domains) > 1 else ""
    return (
        f"{len(result.sentences_by_phrase):,} of {result.phrases:,} phrases were found. "
        f"{len(result.items):,} of {result.sentences:,} "
        f"sentences are used{by_domain}, with "
        f"{result.candidates:,} candidates in total."
    )
