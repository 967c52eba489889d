"""Tests of the page that divides imported sentence pairs into chunks."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accord_core.exchange.spacy_models import installed_models
from alignment_ui.chunks.console import chunking
from annotate.core.permissions import SYSTEM
from annotate.data.services.imports import import_upload
from annotate.data.services.uploads import preview, receive
from annotate.models import Study
from annotate.studies.services.study import create_study
from tests.factories import MembershipFactory, UserFactory
from tests.markup import markup

pytestmark = pytest.mark.django_db
PAIRS = b"id,source,target\nx,A cat sleeps .,It is asleep .\n"
TAGS = {
    "A": "DET", "cat": "NOUN", "sleeps": "VERB", ".": "PUNCT", "It": "PRON", "is": "AUX", "asleep": "ADJ",
}  # fmt: skip


def sentence(key: str, words: str) -> str:
    rows = "".join(f"{n}\t{word}\t{word}\t{TAGS[word]}" + "\t_" * 6 + "\n" for n, word in enumerate(words.split(), 1))
    return f"# sent_id = {key}\n{rows}\n"


CONLLU = (sentence("x:1", "A cat sleeps .") + sentence("x:2", "It is asleep .")).encode()


@pytest.fixture
def study() -> Study:
    return create_study(user=UserFactory(), title="Chunks", task_type="chunks")


def send(study: Study, **sent: Any) -> Any:
    client = Client()
    client.force_login(MembershipFactory(study=study, role="manager").user)
    files = {name: SimpleUploadedFile(f"{name}.csv", data) for name, data in sent.items() if isinstance(data, bytes)}
    return client.post(f"/console/{study.public_id}/x/chunk/", sent | files)


def chunks_of(study: Study) -> Any:
    import_upload(study.uploads.get().pk, user=SYSTEM)
    return study.items.get().content["chunks"]


def test_pairs_and_their_tags_become_pairs_with_chunks(study: Study) -> None:
    assert send(study, pairs=PAIRS, tagged=CONLLU).status_code == 302
    assert chunks_of(study) == {"source": [[0, 1], [2], [3]], "target": [[0], [1], [2], [3]]}


def test_without_a_model_the_page_names_the_command_and_needs_the_tags(study: Study) -> None:
    assert installed_models() == [], "spaCy is not a requirement of the tests"
    refused = send(study, pairs=PAIRS)
    assert refused.status_code == 422
    page = markup(refused)
    assert "accord evaluate parse pairs.csv --model en_core_web_sm -o pairs.conllu" in page
    assert 'name="model"' not in page
    missing = send(study, pairs=PAIRS, tagged=sentence("x:1", "A cat sleeps .").encode())
    assert missing.status_code == 422
    assert "sentence 2 of x has no parse" in markup(missing)
    assert not study.uploads.exists()


@pytest.mark.nightly
def test_an_installed_model_divides_the_sentences(study: Study, monkeypatch: Any) -> None:
    """The stand-in has the interface that Accord uses: `load`, `pipe`, and the attributes of tokens."""

    def document(text: str) -> list[Any]:
        words = [
            SimpleNamespace(text=word, lemma_=word, pos_=TAGS.get(word, ""), tag_="", dep_="", i=place, is_space=False,
                            morph=SimpleNamespace(to_dict=dict))
            for place, word in enumerate(text.split())
        ]  # fmt: skip
        for word in words:
            word.head = word
        return words

    package = ModuleType("spacy")
    package.load = lambda name: SimpleNamespace(pipe=lambda texts: map(document, texts))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spacy", package)
    monkeypatch.setattr(chunking, "installed_models", lambda: ["small"])
    assert "Choose either a CoNLL-U file or a spaCy model." in markup(send(study, pairs=PAIRS))
    both = send(study, pairs=PAIRS, tagged=CONLLU, model="small")
    assert "Choose either a CoNLL-U file or a spaCy model." in markup(both)
    untagged = send(study, pairs=PAIRS.replace(b"cat", b"zzz"), model="small")
    assert "does not assign universal part-of-speech tags" in markup(untagged)
    assert send(study, pairs=PAIRS, model="small").status_code == 302
    assert chunks_of(study)["target"] == [[0], [1], [2], [3]]


@pytest.mark.parametrize(("begin", "warned"), [("chunks", True), ("links", True), ("words", False)])
def test_the_preview_says_where_pairs_without_chunks_can_be_chunked(begin: str, warned: bool) -> None:
    study = create_study(user=UserFactory(), title="Chunks", task_type="chunks", options={"begin": begin})
    upload = receive(study, purpose="items", filename="pairs.csv", data=PAIRS, user=SYSTEM)
    assert preview(upload).importable
    warnings = [fault.message for fault in preview(upload).warnings]
    assert (
        any("number of pairs without chunks: 1." in each and "Import and chunk" in each for each in warnings) == warned
    )
    bracketed = PAIRS.replace(b"A cat sleeps .", b"[ A cat ] [ sleeps . ]").replace(b"It is asleep .", b"[ It ] [ is ]")
    assert preview(receive(study, purpose="items", filename="b.csv", data=bracketed, user=SYSTEM)).warnings == []
