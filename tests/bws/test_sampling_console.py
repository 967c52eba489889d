"""Tests that sample pairs from sentences in the console before the preview of the item file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accord_core.exchange import extras
from annotate.core.permissions import SYSTEM
from annotate.data.services.imports import import_upload
from annotate.models import Study, Upload
from bws.sampling.console import STRATEGIES
from bws.sampling.request import STRATEGIES as ALL_STRATEGIES
from tests.console_study import browser_of, page_of
from tests.factories import make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db

NOUNS = "dog cat bird horse child woman man river street garden house train".split()
SENTENCES = "\n".join(
    f"The {NOUNS[n % 12]} follows a {NOUNS[(5 * n + n // 12) % 12]} in the {('old', 'new', 'small')[n % 3]} town {n}."
    for n in range(120)
)
TEXT = (Path(__file__).resolve().parents[2] / "examples/relatedness/texts/travel.txt").read_text(encoding="utf-8")
NUMBERS = {"strategy": "overlap", "pairs": "20", "seed": "1", "shortest": "5", "longest": "25", "base": "1.1"}


@pytest.fixture
def study() -> Study:
    return make_study(items=0, state=Study.State.DRAFT, design=False)


def kept(study: Study) -> list[Upload]:
    return list(study.uploads.filter(filename__startswith="town"))


def send(client: Client, study: Study, text: str = SENTENCES, **numbers: str):
    files = {"sentences": SimpleUploadedFile("town.txt", text.encode())}
    return client.post(page_of(study, "x/pairs/"), NUMBERS | numbers | files)


def test_every_strategy_of_the_command_is_offered() -> None:
    assert sorted(STRATEGIES) == sorted(ALL_STRATEGIES)


def test_pairs_are_shown_with_their_overlap_and_handed_on(study: Study) -> None:
    client = browser_of(study)
    assert client.get(page_of(study, "x/pairs/")).status_code == 200
    shown = markup(send(client, study))
    (upload,) = kept(study)
    assert (upload.purpose, upload.filename) == ("items", "town-overlap-1.csv")
    assert f"uploads/{upload.public_id}/" in shown
    bins = json.loads(shown.split('id="overlap-data" type="application/json">')[1].split("</script>")[0])["bins"]
    assert sum(b["pairs"] for b in bins) == 20
    assert not any(b["pairs"] for b in bins if b["to"] <= 0.25 or b["from"] >= 0.75)
    assert not study.items.exists()  # nothing is in the study before the preview
    assert client.get(page_of(study, f"uploads/{upload.public_id}/")).status_code == 200
    import_upload(upload.pk, user=SYSTEM)
    assert study.items.count() == 20
    assert set(study.items.first().content) == {"sentence1", "sentence2"}  # type: ignore[union-attr]


def test_buckets_say_what_was_asked_of_each(study: Study) -> None:
    shown = markup(send(browser_of(study), study, strategy="buckets", buckets="4", base="2", pairs="15"))
    assert "8 of 8" in shown
    assert "shows the requested number" in shown


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({"strategy": "bins", "score": "sts"}, "The strategy bins needs pairs, but town.txt contains sentences"),
        ({"pairs": ""}, "Specify the number of pairs"),
        ({"low": "0.6", "high": "0.5"}, "The minimum overlap (0.6) must be lower than the maximum overlap (0.5)"),
        ({"quotas": "wiki"}, "A quota must have the form wiki=500, not wiki"),
        ({"shortest": "9", "longest": "8"}, "No sentence has at least 9 and at most 8 words"),
        ({"within": "year"}, "town.txt: the file has no column year"),
    ],
)
def test_what_does_not_fit_is_said_and_nothing_is_kept(study: Study, numbers: dict[str, str], message: str) -> None:
    response = send(browser_of(study), study, **numbers)
    assert response.status_code == 422
    assert message in markup(response)
    assert not kept(study)


def test_faults_of_the_file_are_named_by_line(study: Study) -> None:
    response = send(browser_of(study), study, "id,text\na,He left.\na,She left.\n")
    assert "line 3, column id: the ID a is already on line 2" in markup(response)


def test_a_large_file_is_for_the_command(study: Study, settings) -> None:
    settings.ROWS_AT_ONCE = 5
    assert "Sample it with accord sample pairs" in markup(send(browser_of(study), study))


@pytest.mark.nightly
def test_pairs_that_cannot_be_made_are_no_upload(study: Study) -> None:
    response = send(browser_of(study), study, "one two three four five\nsix seven eight nine ten\n")
    assert "The sample contains no pairs" in markup(response)
    assert not kept(study)


@pytest.mark.parametrize("role", ["viewer", "reviewer"])
def test_others_than_managers_make_none(study: Study, role: str) -> None:
    client = browser_of(study, role)
    assert "can import items" in markup(client.get(page_of(study, "x/pairs/")))
    assert send(client, study).status_code == 404
    assert not kept(study)


def test_an_open_study_and_another_kind_of_study_have_no_such_page() -> None:
    for study in (make_study(), make_study(items=0, state=Study.State.DRAFT, design=False, task_type="words")):
        assert browser_of(study).get(page_of(study, "x/pairs/")).status_code == 404


def test_texts_are_split_before_sentences_are_paired(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    client, numbers = browser_of(study), {"strategy": "random", "pairs": "3", "split": "on"}
    shown = markup(send(client, study, TEXT, **numbers))
    assert "fewer than 5 tokens" in shown
    (upload,) = kept(study)
    assert import_upload(upload.pk, user=SYSTEM)
    assert {item.metadata["source"] for item in study.items.all()} == {"town"}
    assert "Dr. Alvarez retired." in TEXT
    assert not any(item.content["sentence1"].endswith("Dr.") for item in study.items.all())
    assert send(client, study, TEXT, **numbers, shortest="90", longest="95").status_code == 422

    def absent(name: str) -> None:
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr(extras, "import_module", absent)
    refused = send(client, study, TEXT, **numbers)
    assert refused.status_code == 422
    assert "Sentence splitting needs the extra" in markup(refused)
