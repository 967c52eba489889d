"""The links that commands print begin with the address at which Accord runs."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from pytest_django.fixtures import Settings

from annotate.commands.main import main
from annotate.core.permissions import SYSTEM
from annotate.models import Study
from annotate.recruiting.services.groups import add_group
from annotate.recruiting.services.named import add_named
from annotate.server.site_address import address_of, record_address, recorded_address
from tests.factories import make_study


def test_the_last_address_is_recorded(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    assert recorded_address(folder) is None
    record_address(folder, address_of("127.0.0.1", 8123))
    record_address(folder, address_of("0.0.0.0", 9000))  # noqa: S104 - no server listens here
    assert recorded_address(folder) == "http://127.0.0.1:9000"
    assert address_of("::", 80) == "http://[::1]:80"


@pytest.mark.nightly
@pytest.mark.django_db
def test_opening_a_study_prints_its_links(settings: Settings) -> None:
    settings.SITE_URL, settings.SITE_URL_KNOWN = "http://127.0.0.1:8123", True
    study = make_study()
    add_group(study.pk, name="Class A", user=SYSTEM)

    def opened() -> list[str]:
        CliRunner().invoke(main, ["study", "pause", study.public_id])
        done = CliRunner().invoke(main, ["study", "open", study.public_id])
        assert done.exit_code == 0, done.output
        assert ("the address of Accord is not known" in done.stderr) != settings.SITE_URL_KNOWN
        return done.stdout.splitlines()

    state, link, group = opened()
    assert state == f"The study {study.title} is now open."
    assert link == f"Join link: http://127.0.0.1:8123/join/{study.join_token}"
    assert group.startswith(f"Join link of the group Class A: http://127.0.0.1:8123/join/{study.join_token}/")
    settings.SITE_URL_KNOWN = False
    Study.objects.update(admission=Study.Admission.NAMED)
    assert [line.partition(":")[0] for line in opened()[1:]] == ["Join link of the group Class A"]
    add_named(study.pk, ["Ada"], user=SYSTEM)
    assert opened()[1] == "Send each annotator the personal link on the page Named annotators."
    Study.objects.update(recruitment=Study.Recruitment.PROLIFIC)
    assert opened()[1].endswith("PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}")
