"""Forms without a preview: they name the encoding of a file, show a line of it, and let researchers choose another."""

from functools import partial

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accord_core.exchange.encoding import first_line_not_ascii, utf8_chunks
from accord_core.exchange.faults import TableError
from alignment_ui.chunks.console.chunking import ChunkingForm
from alignment_ui.chunks.console.scoring import AgainstForm
from alignment_ui.chunks.console.two_files import ChunkFilesForm
from alignment_ui.words.console.two_files import TwoFilesForm
from annotate.models import NamedAnnotator, Study
from annotate.prolific.api.shapes import ImportDraft
from annotate.prolific.forms import SubmissionsForm
from annotate.recruiting.forms import ListForm, PeopleForm
from annotate.server.refusals import Refused
from bws.sampling.console import SamplingForm
from evaluation.api.shapes import SystemDraft
from evaluation.console.forms import SystemForm
from layouts.console.layout import LayoutForm
from paraphrase.console.two_files import TwoFilesForm as PhraseFilesForm
from tests.factories import make_study
from tests.rooms import rows

NAMES = "name,email\nJürgen Größe,j@example.org\nRené Müller,r@example.org\n"


@pytest.fixture
def study(client):
    study = make_study(state="draft", admission="named")
    client.force_login(study.memberships.get().user)
    return study


def send(client, study, data, **fields):
    fields["file"] = SimpleUploadedFile("people.csv", data)
    return client.post(f"/console/{study.public_id}/named/file/", fields, follow=True)


def names_of(study):
    return sorted(NamedAnnotator.objects.filter(study=study).values_list("name", flat=True))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("encoding", "named"), [("windows-1252", "Windows-1252"), ("utf-16", "UTF-16"), ("utf-8-sig", "")]
)
def test_a_detected_encoding_is_named_with_a_line_of_the_file(client, study, encoding, named):
    page = send(client, study, NAMES.encode(encoding)).text
    assert names_of(study) == ["Jürgen Größe", "René Müller"]
    assert (f"as {named}" in page and "Line 2: “Jürgen Größe,j@example.org”" in page) == bool(named)


@pytest.mark.django_db
def test_an_uncertain_encoding_is_asked_for(client, study):
    data = "name\nBjörn\n".encode("mac-roman")
    response = send(client, study, data)
    assert response.status_code == 422
    assert "The encoding is not certain" in response.text
    assert not names_of(study)
    send(client, study, data, encoding="mac-roman")
    assert names_of(study) == ["Björn"]


@pytest.mark.django_db
@pytest.mark.parametrize("path", [*rows("FILE_OPERATIONS"), "prolific-submissions/imports", "systems"])
def test_the_api_asks_for_an_uncertain_encoding(client, study, path):
    data = "name\nBjörn\n".encode("mac-roman")

    def post(**fields):
        fields |= {"file": SimpleUploadedFile("a.csv", data), "system": "s"}
        return client.post(f"/api/v1/studies/{study.public_id}/{path}", fields).json()

    reply = post()
    assert reply["code"] == "faults"
    assert "Windows-1252" in reply["message"]
    assert "line 2 is “Bjšrn”" in reply["message"]
    assert "encoding" not in post(encoding="mac-roman").get("fields", {})


@pytest.mark.django_db
def test_a_file_that_is_not_valid_in_the_chosen_encoding_is_refused(client, study):
    response = send(client, study, NAMES.encode("windows-1252"), encoding="shift_jis")
    assert response.status_code == 422
    assert "not valid in the encoding Shift JIS" in response.text


def test_each_file_of_a_form_has_its_own_encoding():
    source = "Das Café schließt früh\nDie Küche öffnet\n".encode("windows-1252")
    files = {
        "source": SimpleUploadedFile("a.txt", source),
        "target": SimpleUploadedFile("b.txt", "Кафе закрывается\nКухня открывается\n".encode()),
        "prealignment": SimpleUploadedFile("c.txt", "0-0 1?1\n".encode("utf-16")),
    }
    form = TwoFilesForm({}, files)
    assert form.is_valid(), form.errors
    assert [text.partition(" as ")[0] for text in form.read_as] == ["Accord read a.txt", "Accord read c.txt"]
    form = TwoFilesForm({"encoding": "iso-8859-15"}, files | {"prealignment": SimpleUploadedFile("c", b"0-0\n0-0\n")})
    assert form.is_valid(), form.errors
    assert form.cleaned_data["source"].read().decode().startswith("Das Café")
    assert form.cleaned_data["target"].read().decode().startswith("Кафе")


@pytest.mark.parametrize(
    ("form", "last"),
    [
        *((form, "file") for form in (PeopleForm, ListForm, SubmissionsForm, LayoutForm, AgainstForm)),
        *((form, "file") for form in rows("FILE_FORMS")),
        (TwoFilesForm, "prealignment"),
        (ChunkFilesForm, "target"),
        (ChunkingForm, "tagged"),
        (PhraseFilesForm, "paraphrases"),
        (SamplingForm, "synonyms"),
        (partial(SystemForm, study=Study(task_type="bws")), "file"),
    ],
)
def test_the_encoding_follows_the_files_in_every_form(form, last):
    names = list(form().fields)
    assert names.index("encoding") == names.index(last) + 1


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "shift_jis", "windows-1252", "gb18030"])
@pytest.mark.parametrize("size", [1, 7])
def test_chunks_that_divide_characters_are_decoded(encoding, size):
    text = "id,text\nplain\nß 表 é\n" if encoding in ("gb18030", "utf-16", "utf-16-be") else "id\nplain\n表\n"
    text = "id\nplain\né ß\n" if encoding == "windows-1252" else text
    data = text.encode(encoding)
    chunks = [data[start : start + size] for start in range(0, len(data), size)]
    assert b"".join(utf8_chunks(chunks, name="f", encoding=encoding)).decode() == text
    assert first_line_not_ascii([data], encoding) == (3, text.splitlines()[2])
    with pytest.raises(TableError):
        list(utf8_chunks([b"\xff\xff\xff"], name="f", encoding="euc-jp"))


@pytest.mark.parametrize("draft", [*rows("FILE_DRAFTS"), ImportDraft, SystemDraft])
def test_the_api_accepts_an_encoding_with_each_file(draft):
    sent = {"system": "one", "filename": "s.csv", "file": SimpleUploadedFile("s.csv", "né,1".encode("mac-roman"))}
    read = draft(data={**sent, "encoding": "mac-roman"})
    assert read.is_valid(), read.errors
    assert b"".join(draft.read(read.validated_data)).decode() == "né,1"
    wrong = draft(data={**sent, "encoding": "euc-jp"})
    assert wrong.is_valid()
    with pytest.raises(Refused) as refused:
        draft.read(wrong.validated_data)
    assert list(refused.value.fields) == ["encoding"]
    both = draft(data={**sent, "content": "n,1"})
    assert not both.is_valid()
