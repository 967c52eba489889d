"""Tests of the words in raw sentences, which follow the option “Split sentences into words” at any time in a draft."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accord_core.exchange.tables import Limits
from alignment_ui.words.tasktype import Words
from alignment_ui.words.two_files import TwoFiles, items_of
from annotate.core.permissions import SYSTEM
from annotate.data.services.design import build_design
from annotate.data.services.imports import import_file
from annotate.models import Question, Study, Upload
from annotate.server.refusals import Refused
from annotate.studies.services.settings import change_settings
from tests.factories import UserFactory

RAW = "Nr;Englisch;Deutsch\n1;We leave tomorrow.;Wir fahren morgen.\n2;It costs 5%.;Es kostet 5\u00a0%.\n"
SPLIT = ["We", "leave", "tomorrow", "."]
TASK = Words()


@pytest.fixture
def study(client: Client, db: None) -> Study:
    """A draft that the page New study has made from a file with raw sentences."""
    client.force_login(UserFactory())
    file = SimpleUploadedFile("pairs.csv", RAW.encode())
    client.post(reverse("console:new"), {"files": file, "task_type": "words", "who_answers": "team"})
    return Study.objects.get()


def sources(study: Study) -> list[str]:
    return [item.content["source"] for item in study.items.order_by("pk")]


def words_in(text: str, name: str = "pairs.tsv", **options: object) -> list[list[str]]:
    read = TASK.read_items(text.encode(), name, TASK.clean_options(options), {"rows": 100, "bytes": 10_000})
    return [item.content["source"] for item in read.items]


def test_a_new_study_splits_raw_sentences(study):
    assert study.options["tokenise"]
    assert sources(study) == [SPLIT, ["It", "costs", "5", "%", "."]]


@pytest.mark.parametrize(
    "text",
    [
        "source\ttarget\nMr. Lee says `` no '' .\tLee said no .\n",
        "source\ttarget\tprealignment\nStay here.\tBleib hier.\t0-0 1-1\n",
        json.dumps({"source": ["Stay", "here."], "target": ["Bleib", "hier."]}),
    ],
    ids=["tokenised sentences", "sentences with numbered words", "lists of tokens"],
)
def test_tokenised_sentences_stay_as_they_are(text):
    name = "pairs.jsonl" if text.startswith("{") else "pairs.tsv"
    assert words_in(text, name) == words_in(text, name, tokenise=False)


def test_two_text_files_keep_their_sentences():
    files = TwoFiles(b"Stay here.\n", b"Bleib hier.\n", None)
    faults, items = items_of(files, limits=Limits(), tokenise=True, subcorpus="", column="subcorpus")
    assert (faults, words_in(items.decode(), "two.jsonl")) == ([], [["Stay", "here", "."]])
    linked = TwoFiles(files.source, files.target, ("links.txt", b"0-0 1-1\n"))
    faults, items = items_of(linked, limits=Limits(), tokenise=True, subcorpus="", column="subcorpus")
    assert (faults, words_in(items.decode(), "two.jsonl")) == ([], [["Stay", "here."]])


def test_a_changed_option_splits_imported_sentences_again(study):
    study.items.order_by("-pk")[0].delete()  # a no-break space cannot be part of a word
    build_design(study.pk, user=SYSTEM)
    change_settings(study.pk, user=SYSTEM, options={"tokenise": False})
    assert sources(study) == [["We", "leave", "tomorrow."]]
    build_design(study.pk, user=SYSTEM)
    assert study.questions.get(kind=Question.Kind.REGULAR).payload["source"] == ["We", "leave", "tomorrow."]
    change_settings(study.pk, user=SYSTEM, options={"tokenise": True})
    assert sources(study) == [SPLIT]


def test_an_option_that_does_not_fit_the_items_does_not_change(study):
    with pytest.raises(Refused, match="in item 2, token 2 contains whitespace") as refusal:
        change_settings(study.pk, user=SYSTEM, options={"tokenise": False})
    assert refusal.value.fields.keys() == {"options.tokenise"}
    study.refresh_from_db()
    assert study.options["tokenise"]
    assert sources(study)[0] == SPLIT


def test_the_option_cannot_change_below_gold_questions(study):
    gold = b"source,target,gold\nStay here.,Bleib hier.,0-0 1-1 2-2\n"
    import_file(study, purpose=Upload.Purpose.GOLD, filename="gold.csv", data=gold, user=SYSTEM)
    with pytest.raises(Refused, match="Remove the gold and practice questions"):
        change_settings(study.pk, user=SYSTEM, options={"tokenise": False})
