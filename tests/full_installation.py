"""The installation in `tests/fixtures/0.1.0.backup`, with studies of every task type and every end that an assignment
can have.

    DATABASE_URL=sqlite:///FILE SECRET_KEY=… python -m tests.full_installation

fills an empty database. Then `accord backup -o BACKUP` writes the backup. The fixture stays as version 0.1.0 wrote it.
"""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")
django.setup()

from allauth.account.models import EmailAddress  # noqa: E402
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes  # noqa: E402
from allauth.mfa.totp.internal.auth import TOTP  # noqa: E402
from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402

from annotate.accounts.services import make_token  # noqa: E402
from annotate.core.services import answer, standing  # noqa: E402
from annotate.core.services.claim import claim, reap  # noqa: E402
from annotate.core.services.idempotency import carry_out_once  # noqa: E402
from annotate.gold import services as gold  # noqa: E402
from annotate.models import Membership, Participation, Question, Study, User  # noqa: E402
from annotate.people.services import remove_personal_data  # noqa: E402
from annotate.questions.services import decisions, more_judgements  # noqa: E402
from annotate.recruiting.services.join import accept_consent, issue_resume_code, join, start_tryout  # noqa: E402
from annotate.results.services import make_report  # noqa: E402
from annotate.studies.services.members import invite  # noqa: E402
from annotate.studies.services.settings import change_settings, write_consent  # noqa: E402
from annotate.studies.services.study import pause_study  # noqa: E402
from evaluation.services.systems import publish_table  # noqa: E402
from tests import rooms  # noqa: E402
from tests.factories import do_hit, let_lapse, make_study, raw_answer, take  # noqa: E402

OWNER = "demo@accord.example"
PASSWORD = "a long password for the tests"


def fill() -> None:
    """Fill the empty database."""
    settings.PRIVACY_NOTICE = "We store your answers under a pseudonym."  # no study can open without one
    call_command("migrate", verbosity=0)
    call_command("demo")
    owner = User.objects.get(email=OWNER)
    manager = User.objects.create_user("tomas@accord.example", PASSWORD, name="Tomás Ó Briain")
    reviewer = User.objects.create_user("aiko@accord.example", PASSWORD, name="愛子 Tanaka")
    _accounts(owner, manager, reviewer)
    relatedness = Study.objects.get(task_type="bws")
    _reviewed(relatedness, owner, manager, reviewer)
    study = _annotated(manager)
    for make in rooms.rows("STUDIES"):
        _report(make(manager), manager)
    _shared_person(relatedness, study, owner)
    make_study(items=8, user=manager, state=Study.State.DRAFT)
    paused = make_study(items=8, user=reviewer, reward="1.2345", currency="EUR", planned_hourly_wage="15.75")
    pause_study(paused.pk, user=reviewer)
    take(start_tryout(relatedness, user=owner))


def _accounts(owner: User, manager: User, reviewer: User) -> None:
    EmailAddress.objects.create(user=manager, email=manager.email, primary=True, verified=True)
    EmailAddress.objects.create(user=reviewer, email=reviewer.email, primary=True, verified=False)
    TOTP.activate(reviewer, "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
    RecoveryCodes.activate(reviewer)
    make_token(owner, "nightly export")
    for study in Study.objects.all():
        _report(study, owner)
    for task_type, user, role in (
        ("bws", manager, "manager"),
        ("words", reviewer, "reviewer"),
        ("chunks", manager, "viewer"),
    ):
        Membership.objects.create(study=Study.objects.get(task_type=task_type), user=user, role=role)


def _reviewed(study: Study, owner: User, manager: User, reviewer: User) -> None:
    candidates = gold.draw_candidates(study.pk, 3, user=owner)
    for person in (owner, manager):
        value = {"best": 1, "worst": 2}
        gold.judge_candidate(candidates[0].pk, value, user=person, explanation="The first pair is closest.")
    gold.judge_candidate(candidates[1].pk, {"best": 3, "worst": 4}, user=owner)
    gold.promote([question.pk for question in candidates], study_id=study.pk, user=owner, authors=2)
    graded = Question.objects.filter(study=study, kind="gold", answers__tally__isnull=False)[0]
    gold.exclude_gold(graded.pk, user=owner, reason="Two pairs are equally close.")
    first, second = study.questions.filter(kind="regular").order_by("pk")[:2]
    decisions.decide(first.pk, {"best": 1, "worst": 4}, user=owner, note="Clear from the texts.")
    decisions.decide(first.pk, {"best": 2, "worst": 4}, user=manager, note="Clearer still.")
    decisions.decide(second.pk, {"best": 3, "worst": 1}, user=owner)
    decisions.withdraw(second.pk, user=owner)
    publish_table(study.pk, heading="Relatedness, scored", user=owner)
    invite(study.pk, email="new@accord.example", role="viewer", user=owner)
    rooms.objects(study, owner)
    change_settings(study.pk, user=owner, instructions=f"{study.instructions}\n\nTake your time.")
    carry_out_once(owner, "a-key-of-a-script", {"path": "/api/v1/studies"}, lambda: (201, {"id": study.public_id}))


def _annotated(user: User) -> Study:
    """A study with one slot per HIT, in which assignments lapse, are stopped, become surplus and remain open."""
    study = make_study(
        items=10,
        gold=6,
        practice=2,
        gold_block=5,
        user=user,
        rule_threshold="0.5",
        rule_minimum=3,
        consent="I agree.",
        hits_per_annotator=4,
    )
    late, stopped, restored, careless, busy, left = (_trained(study) for _ in range(6))
    do_hit(restored)
    standing.stop(restored.pk, reason="Answers in two seconds.", user=user)
    do_hit(busy)  # the HIT that is free again
    standing.restore(restored.pk, reason="The annotator showed notes.", user=user)  # the first HIT becomes surplus

    do_hit(stopped)
    begun = take(stopped)
    answer.save_draft(stopped.pk, begun.public_id, 1, {"best": 2}, 1)
    standing.stop(stopped.pk, reason="Asked to leave.", user=user)

    overdue = take(late)
    answer.give_answer(late.pk, overdue.public_id, 1, raw_answer(overdue.answers.get(position=1)), seconds=3.25)
    let_lapse(overdue)
    reap(study.pk)

    more_judgements.add_slots(study.pk, user=user, per_hit=2)
    while claim(careless.pk).assignment is not None:
        do_hit(careless, right=False)  # until the quality rule stops the annotator

    leased = take(left)
    plain = leased.answers.filter(question__kind="regular").order_by("position")
    for best, worst in ((1, 2), (2, 1)):  # the second answer leaves a trace
        answer.give_answer(left.pk, leased.public_id, plain[0].position, {"best": best, "worst": worst}, seconds=4.5)
    answer.save_draft(left.pk, leased.public_id, plain[1].position, {"worst": 3}, 1)
    graded = leased.answers.get(question__kind="gold")
    answer.give_answer(left.pk, leased.public_id, graded.position, raw_answer(graded, right=False), seconds=2.0)
    answer.acknowledge(left.pk, leased.public_id, graded.position, disputed=True, note="Both are “close” — no?")
    issue_resume_code(left.pk)
    _report(study, user)
    write_consent(study.pk, "I agree, and I am paid.", user=user)
    return study


def _shared_person(one: Study, other: Study, owner: User) -> None:
    """Prolific participants: one in studies of two owners, and one whose personal data was removed."""
    for study in (one, other):
        do_hit(_trained(study, "prolific", external_id="5f3c2ab17d90e4c8a1b2c3d4"))
    removed = _trained(one, "prolific", external_id="5f3c2ab17d90e4c8a1b2c3d5", contact="gone@example.org")
    do_hit(removed)
    remove_personal_data(removed.annotator_id, user=owner, reason="The annotator asked for it.")


def _trained(study: Study, platform: str = "web", **fields: str) -> Participation:
    """An annotator who has joined the study, given consent and finished practice."""
    participation = join(study, platform=platform, **fields)
    consent = study.consents.order_by("-version").first()
    accept_consent(participation.pk, consent.pk if consent else None, eligible=True)
    if Participation.objects.get(pk=participation.pk).standing == Participation.Standing.PRACTISING:
        do_hit(participation)
    return Participation.objects.select_related("study", "annotator").get(pk=participation.pk)


def _report(study: Study, user: User) -> None:
    make_report(study.pk, kind="results", parameters={}, user=user, progress=lambda share, message: None)


if __name__ == "__main__":
    fill()
