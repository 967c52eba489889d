# ruff: noqa: T201 (a command; what it prints is its result)
"""The contents of an installation as JSON, which tests compare before and after an upgrade.

    python -m tests.upgraded            studies, annotators, assignments, answers, reports and accounts
    python -m tests.upgraded pages      the status of each page and download, with the URL

The first also runs on the commit that the databases in tests/fixtures/upgrade come from.
"""

import hashlib
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import django
from django.conf import settings

PASSWORD = "a long password for the upgrade"
TOTP_SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def contents() -> dict[str, Any]:
    """Studies by public ID, and accounts by e-mail address."""
    from annotate.models import Study, User

    return {
        "studies": {study.public_id: _study(study) for study in Study.objects.order_by("pk")},
        "accounts": {user.email: _account(user) for user in User.objects.order_by("email")},
    }


def _study(study: Any) -> dict[str, Any]:
    from alignment_ui.words.models import PhraseVerdict, SampledPhrase
    from annotate.models import Decision, GoldJudgement
    from evaluation.models import PublicTable, Submission

    own = {"study": study}
    return {
        "title": study.title,
        "state": study.state,
        "seed": study.seed,
        "money": f"{study.reward} {study.currency}, {study.planned_hourly_wage} an hour",
        "texts": _digest([study.instructions, study.examples, [c.text for c in study.consents.order_by("version")]]),
        "members": sorted(f"{m.user.email} {m.role}" for m in study.memberships.select_related("user")),
        "uploads": {u.filename: _digest(bytes(u.content).hex()) for u in study.uploads.order_by("pk")},
        "items": _digest([[i.key, i.content, i.metadata, i.held_out] for i in study.items.order_by("key")]),
        "questions": _digest(
            [[q.ref, q.kind, q.payload, q.gold, q.explanation] for q in study.questions.order_by("ref")]
        ),
        "slots": Counter(f"open {open_}" for open_ in study.slots.values_list("open", flat=True)),
        "annotators": {p.pseudonym: _annotator(p) for p in study.participations.select_related("annotator")},
        "assignments": {a.public_id: _assignment(a) for a in study.assignments.select_related("participation")},
        "reports": [_report(report) for report in study.reports.order_by("pk")],
        "events": Counter(study.events.values_list("verb", flat=True)),
        "jobs": Counter(f"{job.kind} {job.state}" for job in study.jobs.all()),
        "decisions": [[d.value, d.note] for d in Decision.objects.filter(question__study=study).order_by("pk")],
        "gold judgements": GoldJudgement.objects.filter(question__study=study).count(),
        "sampled phrases": SampledPhrase.objects.filter(**own).count(),
        "verdicts": Counter(PhraseVerdict.objects.filter(phrase__study=study).values_list("verdict", flat=True)),
        "systems": [[s.system, s.public, s.result] for s in Submission.objects.filter(**own).order_by("number")],
        "public table": [table.heading for table in PublicTable.objects.filter(**own)],
    }


def _annotator(participation: Any) -> dict[str, Any]:
    credited = participation.assignments.filter(credited=True).values_list("reward", flat=True)
    return {
        "identity": _identity(participation.annotator),
        "contact": participation.annotator.contact,
        "standing": participation.standing,
        "reason": participation.standing_reason,
        "tallies": participation.tallies,
        "graded": participation.graded,
        "consent": participation.consent.version if participation.consent else None,
        "credit": str(sum(credited, Decimal(0))),
    }


def _identity(annotator: Any) -> str:
    """Return the platform and the ID on the platform. IDs that Accord assigned to unknown people and removed identities
    count as empty.
    """
    made_up = annotator.platform in ("web", "try") or annotator.external_id.startswith("erased-")
    return str(
        annotator.platform if made_up or not annotator.external_id else f"{annotator.platform} {annotator.external_id}"
    )


def _assignment(assignment: Any) -> list[Any]:
    answers = [
        [
            a.position,
            a.question.ref,
            a.shown,
            a.draft,
            a.value,
            _time(a.given_at),
            a.seconds,
            a.trace,
            a.tally,
            a.passed,
            a.disputed,
            a.dispute_note,
            _time(a.acknowledged_at),
            a.repeat,
        ]
        for a in assignment.answers.select_related("question").order_by("position")
    ]
    return [
        assignment.participation.pseudonym,
        assignment.kind,
        assignment.source,
        assignment.state,
        assignment.reason,
        assignment.credited,
        str(assignment.reward),
        _time(assignment.submitted_at),
        len(answers),
        _digest(answers),
    ]


def _report(report: Any) -> list[Any]:
    return [report.kind, report.number, report.input_sha256, _digest(report.result)]


def _account(user: Any) -> dict[str, Any]:
    from allauth.account.models import EmailAddress
    from allauth.mfa.models import Authenticator

    return {
        "name": user.name,
        "superuser": user.is_superuser,
        "tokens": sorted(user.api_tokens.values_list("name", flat=True)),
        "verified addresses": EmailAddress.objects.filter(user=user, verified=True).count(),
        "second factors": sorted(Authenticator.objects.filter(user=user).values_list("type", flat=True)),
    }


def _time(time: Any) -> str | None:
    return time.isoformat() if time else None


def _digest(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def pages(token: str) -> dict[str, int]:
    """The status of each page for the owner who signs in with a password, for annotators and for API clients."""
    from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
    from django.http import HttpResponse
    from django.test import Client, RequestFactory

    from annotate.models import Participation, Study, User
    from annotate.results.selectors.downloads import exports_of
    from annotate.web.pages.remembered import remember

    statuses: dict[str, int] = {}

    def look(client: Client, path: str, note: str = "", *, follow: bool = False, **headers: str) -> None:
        statuses[path + note] = client.get(path, headers=headers, follow=follow).status_code

    for email in ("demo@accord.example", "tomas@accord.example"):
        browser = Client(SERVER_NAME="127.0.0.1")
        browser.post("/accounts/login/", {"login": email, "password": PASSWORD})
        look(browser, "/console/", f" as {email}")
        for study in Study.objects.filter(memberships__user__email=email, memberships__role="owner"):
            exports = exports_of(study) if study.assignments.exists() else []
            for place in (*_places(study), *(f"downloads/{export.filename}" for export in exports)):
                look(browser, f"/console/{study.public_id}/{place}")

    browser = Client(SERVER_NAME="127.0.0.1")
    browser.post("/accounts/login/", {"login": "aiko@accord.example", "password": PASSWORD})
    look(browser, "/console/", " without the second factor")
    counter = list(yield_hotp_counters_from_time())[-1]
    browser.post("/accounts/2fa/authenticate/", {"code": format_hotp_value(hotp_value(TOTP_SECRET, counter))})
    look(browser, "/console/", " with the second factor")

    people = Participation.objects.filter(study__state="open").exclude(annotator__platform__in=["simulated", "try"])
    for participation in people.select_related("study"):
        device, response = (
            Client(SERVER_NAME="127.0.0.1"),
            remember(RequestFactory().get("/"), HttpResponse(), participation),
        )
        for name, cookie in response.cookies.items():
            device.cookies[name] = cookie.value
        look(device, f"/s/{participation.study.public_id}", f" as {participation.pseudonym}", follow=True)

    script, key = Client(SERVER_NAME="127.0.0.1"), {"Authorization": f"Token {token}"}
    owned = Study.objects.filter(memberships__user=User.objects.get(email="demo@accord.example"))
    for place in ("", *(f"/{study.public_id}/{end}" for study in owned for end in ("answers", "annotators", "events"))):
        look(script, f"/api/v1/studies{place}", **key)
    return statuses


def _places(study: Any) -> Iterator[str]:
    yield from ("", "items/", "design/", "gold/", "settings/", "members/", "history/", "annotators/", "questions/")
    yield from ("jobs/", "results/", "downloads/")
    people = study.participations.exclude(annotator__platform="try")
    yield from (f"annotators/{name}/" for name in people.values_list("pseudonym", flat=True))
    yield from (f"questions/{q}/" for q in study.questions.order_by("pk").values_list("public_id", flat=True)[:3])
    yield from (f"results/{n}/" for n in study.reports.filter(kind="results").values_list("number", flat=True))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")
    django.setup()
    settings.LOGGING_CONFIG = None
    print(json.dumps(pages(sys.argv[2]) if sys.argv[1:2] == ["pages"] else contents(), indent=1, sort_keys=True))
