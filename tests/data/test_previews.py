"""Tests that jobs with a memory limit create the previews of large files, and that the web process does not read these
files.
"""

import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import new_api_token
from annotate.core.services.jobs import run
from annotate.data.selectors.additions import items_to_add
from annotate.data.services import reading
from annotate.data.services.design import build_design
from annotate.data.services.imports import import_upload
from annotate.data.services.uploads import receive, store_preview, stored_preview
from annotate.management.commands.demo import EXAMPLES
from annotate.models import Job, Study, Upload, User
from annotate.server.refusals import Refused
from annotate.studies.services.study import open_study
from tests.factories import UserFactory, add_items, make_study
from tests.markup import markup
from tests.scored_systems import predictions, relatedness_study, words_study

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotate.core.services.jobs.notify_worker", lambda job_id, kind: None)


@pytest.fixture
def large(settings: Any) -> None:
    """Treat every file as large."""
    settings.ROWS_AT_ONCE = 0


@pytest.fixture
def children(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the functions that ran in a separate process."""
    ran: list[str] = []
    for name in ("run_in_child", "iterate_in_child"):
        run = getattr(reading, name)

        def noted(memory: int, work: Any, *arguments: Any, _run: Any = run, **named: Any) -> Any:
            ran.append(work.__name__)
            return _run(memory, work, *arguments, **named)

        monkeypatch.setattr(reading, name, noted)
    return ran


@pytest.fixture
def owner() -> User:
    return UserFactory()


@pytest.fixture
def study(owner: User) -> Study:
    study = make_study(items=0, state="draft", user=owner)
    add_items(study, 6)
    return study


def signed_in(user: User | None) -> Client:
    client = Client()
    client.force_login(user)
    return client


ITEMS = "id,text\n" + "".join(f"k{number},Text {number}.\n" for number in range(12))
GOLD = "id,Item1,Item2,Item3,Item4,BestItem,WorstItem,Explanation\ng1,i0,i1,i2,i3,i0,i3,Because.\n"


@pytest.mark.nightly
@pytest.mark.parametrize(("purpose", "text", "rows"), [("items", ITEMS, 12), ("gold", GOLD, 1), ("practice", GOLD, 1)])
def test_every_kind_of_file_is_read_by_a_job(
    owner: User, study: Study, large: None, children: list[str], purpose: str, text: str, rows: int
) -> None:
    client = signed_in(owner)
    sent = {"file": SimpleUploadedFile("file.csv", text.encode())}
    page = markup(client.post(f"/console/{study.public_id}/bring/{purpose}/", sent, follow=True))
    upload = Upload.objects.latest("pk")
    assert "reads files of this size in the background" in page
    assert children == []
    job = Job.objects.get()
    assert f"jobs/{job.public_id}/" in page  # the page requests the progress repeatedly
    run(job.pk)
    assert children == ["read_preview"]
    path = f"/console/{study.public_id}/uploads/{upload.public_id}/"
    assert client.get(path).context["preview"].rows == rows
    client.post(f"{path}import/")
    run(Job.objects.get(kind=f"import-{purpose}").pk)
    upload.refresh_from_db()
    assert upload.rows == rows
    assert children == ["read_preview", "read_rows"]  # pages after the preview read nothing


def test_a_page_that_is_loaded_again_asks_for_no_second_job(owner: User, study: Study, large: None) -> None:
    upload = receive(study, purpose="items", filename="i.csv", data=ITEMS.encode(), user=owner)
    client = signed_in(owner)
    for _ in range(3):
        client.get(f"/console/{study.public_id}/uploads/{upload.public_id}/")
    assert Job.objects.count() == 1


def test_nothing_is_imported_before_it_was_read(owner: User, study: Study, large: None) -> None:
    upload = receive(study, purpose="items", filename="i.csv", data=ITEMS.encode(), user=owner)
    signed_in(owner).post(f"/console/{study.public_id}/uploads/{upload.public_id}/import/")
    assert not Job.objects.filter(kind="import-items").exists()
    assert study.items.count() == 6


@pytest.mark.nightly
def test_a_stored_preview_is_small(study: Study, large: None) -> None:
    text = "id,text\n" + "".join(f"k{number},\n" for number in range(3_000))
    upload = receive(study, purpose="items", filename="i.csv", data=text.encode(), user=SYSTEM)
    store_preview(upload)
    upload.refresh_from_db()
    seen = stored_preview(upload)
    assert seen is not None
    assert (seen.fault_count, len(seen.faults), seen.importable) == (3_000, 200, False)
    assert len(json.dumps(upload.preview)) < 50_000


@pytest.mark.nightly
def test_too_little_memory_is_one_clear_error_of_the_job(owner: User, study: Study, large: None, settings: Any) -> None:
    settings.LIMIT_PREVIEW_MEMORY = 200 << 20
    text = "id,text\n" + "".join(f"k{number},{'word ' * 380}\n" for number in range(40_000))
    upload = receive(study, purpose="items", filename="big.csv", data=text.encode(), user=owner)
    client = signed_in(owner)
    path = f"/console/{study.public_id}/uploads/{upload.public_id}/"
    client.get(path)
    job = Job.objects.get()
    run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == (
        "failed",
        "Reading big.csv requires more than 200 MiB of memory. Split the file into smaller files.",
    )
    assert job.error in markup(client.get(path))


@pytest.mark.nightly
def test_an_import_has_the_same_limit_and_leaves_nothing_behind(study: Study, large: None, settings: Any) -> None:
    text = "id,text\n" + "".join(f"k{number},{'word ' * 380}\n" for number in range(40_000))
    upload = receive(study, purpose="items", filename="big.csv", data=text.encode(), user=SYSTEM)
    settings.LIMIT_PREVIEW_MEMORY = 200 << 20
    with pytest.raises(Refused, match=r"Reading big\.csv requires more than 200 MiB of memory"):
        import_upload(upload.pk, user=SYSTEM)
    assert study.items.count() == 6


def test_a_large_file_with_faults_is_not_imported(study: Study, large: None, children: list[str]) -> None:
    upload = receive(study, purpose="items", filename="i.csv", data=(ITEMS + "k1,Again.\n").encode(), user=SYSTEM)
    with pytest.raises(Refused, match="Nothing was imported"):
        import_upload(upload.pk, user=SYSTEM)
    assert (children, study.items.count()) == (["read_rows"], 6)


def test_gold_for_a_study_of_many_items_is_read_by_a_job_whatever_its_size(study: Study, settings: Any) -> None:
    settings.ROWS_AT_ONCE = 5
    upload = receive(study, purpose="gold", filename="g.csv", data=b"id\n", user=SYSTEM)
    assert reading.is_large(upload.size) is False
    from annotate.data.services.uploads import is_large

    assert is_large(upload)


def test_the_preview_of_gold_shows_the_texts_of_the_items(owner: User, study: Study) -> None:
    upload = receive(study, purpose="gold", filename="g.csv", data=GOLD.encode(), user=owner)
    shown = signed_in(owner).get(f"/console/{study.public_id}/uploads/{upload.public_id}/")
    assert [tab.label for tab in shown.wsgi_request.console.tabs if tab.current] == ["Gold"]
    page = markup(shown)
    text = ", ".join(study.items.get(key="i0").content.values())
    assert page.count(text) == 2, "among the items, and as the expected best item"


@pytest.mark.parametrize(
    ("task_type", "path", "words"),
    [
        ("words", "alignment/gold.csv", "would–will (possible)"),
        ("chunks", "chunks/gold.wa", "A small dog – A dog: SPE1 4"),
        ("paraphrase", "paraphrase/gold.csv", "yes: happy, pleased, delighted, cheerful; no: narrow"),
    ],
)
def test_the_preview_of_gold_shows_expected_answers_in_words(
    owner: User, task_type: str, path: str, words: str
) -> None:
    study = make_study(task_type=task_type, items=0, state="draft", user=owner)
    data = (EXAMPLES / path).read_bytes()
    upload = receive(study, purpose="gold", filename=path.split("/")[-1], data=data, user=owner)
    page = markup(signed_in(owner).get(f"/console/{study.public_id}/uploads/{upload.public_id}/"))
    assert words in page
    assert not re.search(r"<td[^>]*>\s*[\[{](?:\[|&quot;)", page), "a cell with JSON"


def test_a_domain_that_no_file_names_is_not_shown(owner: User) -> None:
    study = make_study(task_type="paraphrase", items=0, state="draft", user=owner)
    rows = "".join(f"{n},It rains a lot.,a lot,much\n" for n in range(3))
    data = f"id,sentence,phrase,paraphrases\n{rows}".encode()
    upload = receive(study, purpose="items", filename="items.csv", data=data, user=owner)
    previewed = markup(signed_in(owner).get(f"/console/{study.public_id}/uploads/{upload.public_id}/"))
    assert ">domain</th>" not in previewed
    import_upload(upload.pk, user=owner)
    page = f"/console/{study.public_id}/items/"
    assert study.items.first().metadata["domain"] == "all"
    assert ">domain</th>" not in markup(signed_in(owner).get(page))
    item = study.items.first()
    study.items.filter(pk=item.pk).update(metadata=item.metadata | {"domain": "biology"})
    assert ">domain</th>" in markup(signed_in(owner).get(page))


def test_the_preview_of_an_image_offers_no_encoding(owner: User, study: Study) -> None:
    upload = receive(study, purpose="items", filename="pic.png", data=b"\x89PNG\r\n", user=SYSTEM)
    page = markup(signed_in(owner).get(f"/console/{study.public_id}/uploads/{upload.public_id}/"))
    assert "the file is an image" in page
    assert "Fix the file and upload it again.</p>" in page
    assert "File encoding" not in page


# ── the API ───────────────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.nightly
def test_the_api_answers_with_a_job_and_then_with_the_preview(owner: User, study: Study, large: None) -> None:
    client = Client(headers={"Authorization": f"Token {new_api_token(owner, 'script')[1]}"})
    root = f"/api/v1/studies/{study.public_id}"
    body = {"purpose": "items", "filename": "i.csv", "content": ITEMS}
    taken = client.post(f"{root}/uploads", body, content_type="application/json")
    assert taken.status_code == 202
    upload = f"{root}/uploads/{taken.json()['id']}"
    assert client.get(upload).json()["job"]["id"] == taken.json()["job"]["id"]
    early = client.post(f"{upload}/import")
    assert (early.status_code, early.json()["code"]) == (409, "not-read")
    run(Job.objects.get().pk)
    seen = client.get(upload)
    assert (seen.status_code, seen.json()["rows"], seen.json()["importable"]) == (200, 12, True)
    assert client.post(f"{upload}/import").status_code == 202
    run(Job.objects.get(kind="import-items").pk)
    assert study.items.count() == 18


def test_the_api_takes_a_file_as_a_form(owner: User, study: Study) -> None:
    client = Client(headers={"Authorization": f"Token {new_api_token(owner, 'script')[1]}"})
    path = f"/api/v1/studies/{study.public_id}/uploads"

    def send(text: str, key: str = "k") -> Any:
        file = SimpleUploadedFile("items.csv", text.encode())
        return client.post(
            path, {"purpose": "items", "filename": "items.csv", "file": file}, headers={"Idempotency-Key": key}
        )

    assert (send(ITEMS).status_code, send(ITEMS).json()["rows"]) == (201, 12)
    assert Upload.objects.filter(filename="items.csv", size=len(ITEMS)).count() == 1
    assert send(ITEMS + "x,Another.\n").status_code == 422  # another file under the same key
    assert client.post(path, {"purpose": "items", "filename": "i.csv"}).status_code == 400


# ── files that go another way ─────────────────────────────────────────────────────────────────────────────────────
def two_files(study: Study, dataset: str = "", **files: str) -> Any:
    sent: dict[str, Any] = {name: SimpleUploadedFile(f"{name}.txt", text.encode()) for name, text in files.items()}
    path = f"/console/{study.public_id}/x/two-files/"
    return signed_in(study.memberships.get().user).post(path, sent | {"dataset": dataset})


@pytest.mark.nightly
def test_two_files_of_sentences_are_read_with_a_limit(large: None, children: list[str]) -> None:
    response = two_files(words_study(), source="He left .\n", target="He went .\n", prealignment="0-0\n")
    assert response.status_code == 302
    assert children[-1] == "items_of"


@pytest.mark.nightly
def test_two_files_of_chunks_are_read_with_a_limit(large: None, children: list[str]) -> None:
    study = make_study(items=0, state="draft", task_type="chunks")
    assert two_files(study, source="[ He left ]\n", target="[ He ] [ went ]\n").status_code == 302
    assert children == ["items_of"]


@pytest.mark.nightly
def test_two_files_can_be_imported_into_an_open_study() -> None:
    study = make_study(items=0, design=False, state="draft", task_type="chunks")
    assert two_files(study, source="[ The cat ] [ sat ]\n", target="[ It ] [ sat ]\n").status_code == 302
    import_upload(study.uploads.latest("pk").pk, user=SYSTEM)
    build_design(study.pk, user=SYSTEM)
    study = open_study(study.pk, user=SYSTEM)
    client, home = signed_in(study.memberships.get().user), f"/console/{study.public_id}/"
    page = markup(client.get(f"{home}items/"))
    assert "[The cat] [sat]" in page
    assert "{" not in page.partition('aria-label="Items"')[2].partition("</section>")[0], "no raw JSON"
    assert "1 item, all in questions." in page
    ways = markup(client.get(f"{home}items/add/"))
    assert "New items get questions when you add them to the design." in ways
    assert f'href="{home}x/two-files/"' in ways
    assert 'name="source"' in markup(client.get(f"{home}x/two-files/"))
    response = two_files(study, source="[ A dog ] [ ran ]\n", target="[ He ] [ ran ]\n", dataset="more")
    assert "[A dog] [ran]" in markup(client.get(response["Location"]))
    import_upload(study.uploads.latest("pk").pk, user=SYSTEM)
    assert items_to_add(study) == 1
    assert "2 items: 1 in questions, 1 not in questions yet." in markup(client.get(f"{home}items/"))


@pytest.mark.nightly
def test_sentences_to_sample_are_read_with_a_limit(
    owner: User, study: Study, settings: Any, children: list[str]
) -> None:
    settings.ROWS_AT_ONCE = 5
    text = "text\n" + "".join(f"The dog number {n} ran over the long wooden bridge again.\n" for n in range(30))
    sent = {
        "sentences": SimpleUploadedFile("s.csv", text.encode()),
        "strategy": "random",
        "pairs": "5",
        "seed": "1",
        "shortest": "5",
        "longest": "25",
        "base": "1.1",
    }
    client, path = signed_in(owner), f"/console/{study.public_id}/x/pairs/"
    assert client.post(path, sent).status_code == 200
    assert children == ["sample_files"]
    sent["sentences"].seek(0)
    refused = client.post(path, sent | {"strategy": "match", "match": "nothing"})
    assert refused.status_code == 422
    assert "no column nothing" in str(refused.context["form"].errors)


@pytest.mark.nightly
def test_a_systems_file_is_read_by_its_job_with_a_limit(large: None, children: list[str]) -> None:
    study = relatedness_study()
    children.clear()
    sent = {"system": "Bag", "file": SimpleUploadedFile("p.csv", predictions(study))}
    signed_in(study.memberships.get().user).post(f"/console/{study.public_id}/x/systems/", sent)
    assert children == []
    job = Job.objects.get(kind__startswith="score-system")
    run(job.pk)
    job.refresh_from_db()
    assert (job.state, children) == ("done", ["evaluate"]), job.error
