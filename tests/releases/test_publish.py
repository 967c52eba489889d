"""Tests that releases are published on Zenodo, the Hugging Face Hub and the Open Science Framework, also on faulty
connections.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from annotate.server.software import versions
from releases.cli.release import _write_folder, files_of, group
from releases.contents.address import with_address
from releases.contents.folder import ABOUT as ABOUT_FILE
from releases.contents.page import PAGE
from releases.contents.verify import verify
from releases.publish.client import CannotPublish, Client
from releases.publish.huggingface import HuggingFace
from releases.publish.osf import Osf
from releases.publish.publishing import Outcome, publish_release
from releases.publish.services import Service
from releases.publish.zenodo import Zenodo
from releases.services.releases import Release, as_zip
from tests.releases.dataset_services import TOKEN, Fault, Services, dataset_services
from tests.releases.test_release import made, released  # noqa: F401 (fixtures)

# The release is made in the tables that pytest-django creates only for tests with this mark.
pytestmark = pytest.mark.django_db

URL = "https://doi.org/10.5072/zenodo.542201"
ADDRESSES: dict[str, str] = {"zenodo": "zenodo", "huggingface": "hub", "osf": "osf"}


@pytest.fixture
def services() -> Iterator[Services]:
    with dataset_services() as running:
        yield running


class Run:
    """A release that is published, with the pauses between repeated requests."""

    def __init__(self, services: Services, files: Mapping[str, bytes], folder: Path) -> None:
        self.services, self.files, self.folder = services, files, folder
        self.pauses: list[float] = []
        self.token = TOKEN

    def publish(self, service: Service, *, public: bool = False) -> Outcome:
        address = f"{self.services.address}/{ADDRESSES[type(service).__name__.lower()]}"
        client = Client(service.name, address, self.token, service.access, sleep=self.pauses.append)
        return publish_release(
            service,
            client,
            "relatedness-1.0",
            self.files,
            self.folder / "relatedness-1.0.published.json",
            store=self._store,
            public=public,
            say=lambda text: None,
        )

    def _store(self, files: Mapping[str, bytes]) -> None:
        self.files = files


@pytest.fixture
def run(services: Services, released: Release, tmp_path: Path) -> Run:  # noqa: F811
    return Run(services, released.files, tmp_path)


def unpacked(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {name.partition("/")[2]: opened.read(name) for name in opened.namelist()}


def test_a_release_with_an_address_can_still_be_verified(released: Release) -> None:  # noqa: F811
    files = with_address(released.files, URL)
    assert verify(files, versions=versions()).faults == []
    assert json.loads(files[ABOUT_FILE])["url"] == URL
    described = json.loads(files["croissant.json"])
    assert described["url"] == URL
    assert described["citeAs"].endswith(URL)
    assert URL in files[PAGE].decode()
    assert {path for path in files if files[path] != released.files[path]} == {
        *(ABOUT_FILE, "croissant.json", PAGE, "SHA256SUMS", "reporting/heds.md", "reporting/datasheet.md")
    }
    assert list(files) == list(released.files)


def test_a_citation_by_the_authors_ends_with_the_address(released: Release) -> None:  # noqa: F811
    about = json.loads(released.files[ABOUT_FILE]) | {"citation": "A. Author (2026). Pairs."}
    first = with_address({**released.files, ABOUT_FILE: json.dumps(about).encode()}, "https://osf.io/abcde/")
    assert json.loads(first[ABOUT_FILE])["citation"] == "A. Author (2026). Pairs. https://osf.io/abcde/"
    second = with_address(first, URL)
    assert json.loads(second[ABOUT_FILE])["citation"] == f"A. Author (2026). Pairs. {URL}"
    assert f"Citation: A. Author (2026). Pairs. {URL}" in second["README.md"].decode()
    assert verify(second, versions=versions()).faults == []


def test_zenodo_gets_a_draft_with_the_doi_in_its_files(run: Run) -> None:
    outcome = run.publish(Zenodo())
    [deposition] = run.services.depositions.values()
    assert not deposition["submitted"]
    stored = run.services.stored["542201"]
    assert list(stored) == outcome.sent == ["relatedness-1.0.zip", "README.md"]
    assert unpacked(stored["relatedness-1.0.zip"]) == run.files
    assert json.loads(run.files[ABOUT_FILE])["url"] == outcome.place.url == URL
    metadata = deposition["metadata"]
    assert metadata["creators"] == [{"name": "A. Author"}, {"name": "B. Author"}]
    assert (metadata["license"], metadata["version"], metadata["upload_type"]) == ("cc-by-4.0", "1.0", "dataset")

    again = run.publish(Zenodo(), public=True)
    assert again.sent == []
    assert again.place.published
    assert len(run.services.depositions) == 1
    assert deposition["submitted"]


def test_published_files_on_zenodo_cannot_be_replaced(run: Run) -> None:
    run.publish(Zenodo(), public=True)
    run.files = {**run.files, "README.md": b"changed"}
    with pytest.raises(CannotPublish, match=r"already published with other files.*another version"):
        run.publish(Zenodo(), public=True)


def test_the_hub_gets_one_commit_with_all_files(run: Run) -> None:
    outcome = run.publish(HuggingFace("lab/pairs"))
    stored = run.services.stored["lab/pairs"]
    assert {path: data for path, data in stored.items() if path != ".gitattributes"} == run.files
    assert {path for path in run.files if path.endswith(".jsonl")} == {
        path for path, data in run.files.items() if data in run.services.lfs.values()
    }
    assert run.services.public == set()
    assert json.loads(run.files[ABOUT_FILE])["url"] == outcome.place.url
    assert outcome.place.url.endswith("/datasets/lab/pairs")
    assert all(request.startswith("PUT /hub/signed/") for request in run.services.without_token)
    assert run.services.without_token, "signed links get no token"
    run.publish(HuggingFace("lab/pairs"), public=True)
    assert run.services.public == {"lab/pairs"}
    assert sum(request.endswith("/commit/main") for request in run.services.requests) == 1


def test_a_dataset_on_the_hub_is_not_overwritten(run: Run) -> None:
    run.services.repositories.add("ada/relatedness-1.0")
    with pytest.raises(CannotPublish, match=r"already exists\. Choose another name with --repository"):
        run.publish(HuggingFace())


def test_osf_gets_a_project_and_new_versions_of_its_files(run: Run) -> None:
    outcome = run.publish(Osf(), public=True)
    stored = run.services.stored["abcde"]
    assert unpacked(stored["relatedness-1.0.zip"]) == run.files
    assert run.services.public == {"abcde"}
    assert outcome.place.url == "https://osf.io/abcde/"
    run.files = {**run.files, "README.md": run.files["README.md"] + b"\n"}
    assert run.publish(Osf()).sent == ["relatedness-1.0.zip", "README.md"]
    assert unpacked(stored["relatedness-1.0.zip"]) == run.files


def test_a_doi_is_not_replaced_by_the_address_of_a_copy(run: Run) -> None:
    run.publish(Zenodo())
    run.publish(Osf())
    assert json.loads(run.files[ABOUT_FILE])["url"] == URL
    run.files = with_address(run.files, "https://example.org/pairs")
    run.publish(Zenodo())
    assert json.loads(run.files[ABOUT_FILE])["url"] == URL


@pytest.mark.parametrize("service", [Zenodo(), HuggingFace(), Osf()])
def test_a_token_that_is_not_accepted_is_reported_without_the_token(run: Run, service: Service) -> None:
    run.token = "wrong-token"
    with pytest.raises(CannotPublish, match=r"does not accept the token \(status 401\)\. It needs a") as error:
        run.publish(service)
    assert "wrong-token" not in str(error.value)
    assert not list(run.folder.iterdir()), "no draft was recorded"


def test_requests_are_repeated_after_the_time_that_the_service_asks_for(run: Run) -> None:
    run.services.faults += [
        Fault("POST .*/depositions$", 429, {"Retry-After": "7"}),
        Fault("PUT .*zip$", 502),
        Fault("PUT .*zip$", 0),
        Fault("PUT .*README", 503, {"Retry-After": "3"}),
    ]
    run.publish(Zenodo(), public=True)
    assert run.pauses == [7.0, 1.0, 2.0, 3.0]
    assert run.services.faults == []
    assert unpacked(run.services.stored["542201"]["relatedness-1.0.zip"]) == run.files
    assert len(run.services.depositions) == 1


def test_a_long_wait_is_reported_with_the_state_of_the_upload(run: Run) -> None:
    run.services.faults.append(Fault("PUT .*README", 429, {"Retry-After": "3600"}))
    with pytest.raises(CannotPublish) as error:
        run.publish(Zenodo())
    assert str(error.value) == (
        "Zenodo responded with status 429. It asks to wait 3,600 seconds. Sent so far: relatedness-1.0.zip. "
        "The release is a draft that only you can see at https://zenodo.org/deposit/542201. "
        "Run the same command again to continue: files that are already there are not sent again."
    )
    assert run.pauses == []
    assert run.publish(Zenodo()).sent == ["README.md"]


@pytest.mark.parametrize("service", [Zenodo(), HuggingFace(), Osf()])
def test_an_upload_that_is_cut_off_again_and_again_continues_later(run: Run, service: Service) -> None:
    run.services.faults += [Fault("(PUT|POST) .*(README|commit/main)", 0) for _ in range(5)]
    with pytest.raises(CannotPublish, match=r"connection to .* was lost .*Run the same command again to continue"):
        run.publish(service)
    run.services.faults.clear()
    lfs_before = sum("/signed/" in request for request in run.services.requests)
    run.publish(service, public=True)
    assert sum("/signed/" in request for request in run.services.requests) == lfs_before
    names = [*run.services.depositions, *run.services.repositories, *({"abcde"} & run.services.stored.keys())]
    assert len(names) == 1, "no second draft"


def test_an_upload_that_is_too_large_is_refused_once(run: Run) -> None:
    run.services.faults += [Fault("PUT .*zip", 413), Fault("PUT .*zip", 413)]
    with pytest.raises(CannotPublish, match="Zenodo responded with status 413"):
        run.publish(Zenodo())
    assert len(run.services.faults) == 1
    assert run.pauses == []


def test_a_draft_that_may_exist_is_not_created_twice(run: Run) -> None:
    run.services.faults.append(Fault("POST .*/depositions$", 0, carry_out=True))
    with pytest.raises(CannotPublish, match="may nevertheless have carried out the request"):
        run.publish(Zenodo())
    assert sum(request.startswith("POST") for request in run.services.requests) == 1


def test_a_lost_response_to_the_publication_is_found_out(run: Run) -> None:
    run.services.faults.append(Fault("POST .*/publish$", 0, carry_out=True))
    with pytest.raises(CannotPublish):
        run.publish(Zenodo(), public=True)
    assert run.publish(Zenodo(), public=True).place.published
    assert sum(request.endswith("/publish") for request in run.services.requests) == 1


def test_the_token_is_not_sent_to_other_hosts() -> None:
    client = Client("OSF", "https://api.osf.io/v2", TOKEN)
    for link, own in {
        "https://files.osf.io/v1/": True,
        "https://api.osf.io/v2/": True,
        "https://files.osf.io.example.org/": False,
        "https://osf.example.org/": False,
    }.items():
        assert client._is_own(link) is own, link
    assert not Client("Zenodo", "https://zenodo.org/api", TOKEN)._is_own("https://example.org/")
    with pytest.raises(CannotPublish, match="another host"):
        client.send("PUT", "https://example.org/")
    for address in ("http://zenodo.org/api", "ftp://zenodo.org", "https://user@zenodo.org", "zenodo.org"):
        with pytest.raises(CannotPublish, match="must begin with https://"):
            Client("Zenodo", address, TOKEN)
    assert TOKEN not in repr(client)


def test_zenodo_needs_authors_and_a_known_licence(run: Run) -> None:
    about = json.loads(run.files[ABOUT_FILE])
    for change, message in (({"creators": ""}, "needs the authors"), ({"licence": "MINE"}, "licence MINE")):
        run.files = {**run.files, ABOUT_FILE: json.dumps(about | change).encode()}
        with pytest.raises(CannotPublish, match=message):
            run.publish(Zenodo())
    assert run.services.requests == []


def command(services: Services, *arguments: str, answer: str = "", **variables: str) -> Result:
    options = ["publish", *arguments, "--to", "zenodo", "--address", f"{services.address}/zenodo"]
    return CliRunner(env={"ZENODO_TOKEN": TOKEN, **variables}).invoke(group, options, input=answer)


@pytest.mark.nightly
def test_the_command_asks_before_it_sends_and_writes_the_address(
    services: Services,
    released: Release,  # noqa: F811
    tmp_path: Path,
) -> None:
    folder, archive = tmp_path / "pairs-1.0", tmp_path / "zipped-1.0.zip"
    _write_folder(folder, released.files)
    archive.write_bytes(as_zip(released))
    dry = command(services, str(folder), "--dry-run", ZENODO_TOKEN="")
    assert dry.exit_code == 0, dry.output
    total = sum(map(len, released.files.values()))
    assert f"{len(released.files)} files with {total:,} bytes, in pairs-1.0.zip:" in dry.output
    assert all(path in dry.output for path in released.files)
    refused = command(services, str(folder), answer="n\n")
    assert refused.exit_code == 1
    assert services.requests == []
    assert "Set ZENODO_TOKEN to a personal" in command(services, str(folder), "--yes", ZENODO_TOKEN="").output
    for place, doi in ((folder, URL), (archive, "https://doi.org/10.5072/zenodo.542202")):
        outcome = command(services, str(place), "--publish", "--yes")
        assert outcome.exit_code == 0, outcome.output
        assert f"Published: {doi}" in outcome.output
        files = files_of(str(place))
        assert json.loads(files[ABOUT_FILE])["url"] == doi
        assert verify(files, versions=versions()).holds
        assert TOKEN not in outcome.output
    records = sorted(path.name for path in tmp_path.iterdir())
    assert records == ["pairs-1.0", "pairs-1.0.published.json", "zipped-1.0.published.json", "zipped-1.0.zip"]
    assert TOKEN not in (tmp_path / "pairs-1.0.published.json").read_text()


@pytest.mark.nightly
def test_a_damaged_release_is_not_published_and_a_rehearsal_changes_nothing(
    services: Services,
    released: Release,  # noqa: F811
    tmp_path: Path,
) -> None:
    folder = tmp_path / "pairs-1.0"
    _write_folder(folder, released.files)
    assert command(services, str(folder), "--sandbox", "--yes").exit_code == 0
    assert files_of(str(folder)) == dict(released.files)
    sent = len(services.requests)
    (folder / "README.md").write_text("changed")
    outcome = command(services, str(folder), "--yes")
    assert outcome.exit_code == 1
    assert "cannot be verified, so nothing was sent" in outcome.output
    assert len(services.requests) == sent
