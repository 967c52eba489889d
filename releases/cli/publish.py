"""The `accord release publish` command, which uploads a release to a public service."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from releases.publish.publishing import Outcome
    from releases.publish.services import Service

SERVICES = ("zenodo", "huggingface", "osf")


@click.command()
@click.argument("release", metavar="RELEASE", type=click.Path(exists=True))
@click.option("--to", "to", type=click.Choice(SERVICES), required=True, help="Service.")
@click.option(
    "--publish", "public", is_flag=True, help="Make the release public. Without this option, the release stays a draft."
)
@click.option("--sandbox", is_flag=True, help="Practise on the service's test site. RELEASE does not change.")
@click.option("--address", metavar="URL", help="Another address of the service's API.")
@click.option("--repository", default="", metavar="OWNER/NAME", help="Dataset repository on the Hugging Face Hub.")
@click.option("--dry-run", is_flag=True, help="List the files without sending anything.")
@click.option("--yes", is_flag=True, help="Send the files without asking for confirmation.")
def publish(
    release: str, to: str, public: bool, sandbox: bool, address: str | None, repository: str, dry_run: bool, yes: bool
) -> None:
    """Upload RELEASE, a folder or zip file, to Zenodo, the Hugging Face Hub or the Open Science Framework.

    The token is read from ZENODO_TOKEN, HF_TOKEN or OSF_TOKEN. The command first verifies RELEASE, and lists the files.
    It then writes the DOI or URL into RELEASE, and uploads it as a private draft. RELEASE.published.json records the
    draft, so that the same command continues an interrupted upload, or publishes the draft with --publish.

    \b
    Examples:
        accord release publish relatedness-1.0 --to zenodo --dry-run
        accord release publish relatedness-1.0 --to zenodo --sandbox
        accord release publish relatedness-1.0.zip --to huggingface --repository lab/relatedness
        accord release publish relatedness-1.0 --to zenodo --publish
    """
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")
    django.setup()
    from releases.cli.release import files_of
    from releases.publish.client import CannotPublish, Client
    from releases.publish.publishing import dataset_of, publish_release

    place = Path(release).resolve()
    name = place.name.removesuffix(".zip") if place.is_file() else place.name
    service = _service(to, repository)
    files = _verified(files_of(release), release)
    try:
        dataset = dataset_of(name, files)
        service.check(dataset)
        _list(service, name, files)
        if dry_run:
            click.echo("Dry run: nothing was sent.")
            return
        client = Client(service.name, _address(service, address, sandbox), _token(service), service.access, say=_say)
        if not yes:
            _confirm(service, client.address, public)
        outcome = publish_release(
            service,
            client,
            name,
            files,
            place.with_name(f"{name}.published.json"),
            store=(lambda changed: None) if sandbox else (lambda changed: _store(place, name, files, changed)),
            public=public,
            say=_say,
        )
    except CannotPublish as error:
        raise click.ClickException(str(error)) from error
    _report(outcome)


def _service(to: str, repository: str) -> Service:
    from releases.publish.huggingface import HuggingFace
    from releases.publish.osf import Osf
    from releases.publish.zenodo import Zenodo

    if to == "huggingface":
        return HuggingFace(repository)
    if repository:
        raise click.UsageError("--repository is only for --to huggingface.")
    return Zenodo() if to == "zenodo" else Osf()


def _verified(files: dict[str, bytes], release: str) -> dict[str, bytes]:
    """Return the files of a release that can be verified. Publishing writes new checksums, which would hide damage."""
    from annotate.server.software import versions
    from releases.contents.verify import verify

    outcome = verify(files, versions=versions(), say=lambda text: _say(f"Verifying: {text} …"))
    if not outcome.holds:
        raise click.ClickException(
            f"{release} cannot be verified, so nothing was sent. First of {len(outcome.faults):,} differences: "
            f"{outcome.faults[0]}"
        )
    return files


def _list(service: Service, name: str, files: Mapping[str, bytes]) -> None:
    total = sum(map(len, files.values()))
    packed = f", in {name}.zip" if service.packs else ""
    click.echo(f"{len(files):,} files with {total:,} bytes{packed}:")
    for path, data in files.items():
        click.echo(f"  {len(data):>12,}  {path}")


def _address(service: Service, address: str | None, sandbox: bool) -> str:
    if not sandbox or address:
        return address or service.address
    if not service.sandbox:
        raise click.UsageError(f"There is no sandbox of {service.name}. A draft is a private repository.")
    return service.sandbox


def _token(service: Service) -> str:
    token = os.environ.get(service.variable, "").strip()
    if not token:
        raise click.ClickException(f"Set {service.variable} to {service.access}")
    if not token.isascii() or not token.isprintable():
        raise click.ClickException(f"{service.variable} contains characters that are not allowed in tokens.")
    return token


def _confirm(service: Service, address: str, public: bool) -> None:
    visible = "and publish them. This cannot be undone on every service" if public else "as a private draft"
    click.confirm(f"Send these files to {service.name} ({address}) {visible}?", abort=True)


def _store(place: Path, name: str, files: Mapping[str, bytes], changed: Mapping[str, bytes]) -> None:
    """Write the files that contain the address, with the checksums last, or the zip file anew."""
    from releases.publish.publishing import zip_of

    if place.is_file():
        _replace(place, zip_of(name, changed))
        return
    for path, data in changed.items():
        if files.get(path) != data:
            _replace(place / path, data)


def _replace(place: Path, data: bytes) -> None:
    draft = place.with_name(f".{place.name}.new")
    draft.write_bytes(data)
    draft.replace(place)


def _report(outcome: Outcome) -> None:
    place = outcome.place
    click.echo(f"{len(outcome.sent):,} files sent, {len(outcome.already):,} were already there")
    if place.published:
        click.echo(f"Published: {place.url}")
    else:
        click.echo(f"Draft: {place.page}")
        click.echo(f"Address after publication: {place.url}")


def _say(text: str) -> None:
    click.echo(text, err=True)
