"""One object of every kind that a URL can name, in a study whose texts contain the same mark."""

from __future__ import annotations

import zlib
from datetime import date
from decimal import Decimal
from typing import Any

from django.utils import timezone

from accord_core.exchange.prolific import Status
from annotate.core.services.remarks import send_remark
from annotate.data.services.uploads import receive
from annotate.models import Study, Upload
from annotate.pay.services import give_bonus
from annotate.questions.services.decisions import decide
from annotate.recruiting.services.groups import add_group
from annotate.results.services import share_report
from annotate.studies.services.members import invite
from tests import rooms
from tests.console_study import report_on
from tests.factories import UserFactory, do_hit, make_annotator, make_study, raw_answer, take


class Objects:
    """A study with one object of every kind, whose IDs are in `ids`. The numbers of the objects are `number`, so that
    the numbers in one study do not exist in another.
    """

    def __init__(self, mark: str, number: int) -> None:
        self.mark = mark
        self.owner = UserFactory(name=f"Owner {mark}")
        self.study = make_study(user=self.owner, gold=6, judgements=2, instructions=f"Instructions {mark}.")
        Study.objects.filter(pk=self.study.pk).update(title=f"Study {mark}", waiting_list=True)
        self.study.refresh_from_db()
        self.annotator = make_annotator(self.study)
        do_hit(self.annotator)
        self.assignment = take(self.annotator)
        self.program = make_annotator(self.study)
        self.program.annotator.is_program, self.program.annotator.platform = True, "system"
        self.program.annotator.save()
        self.ids: dict[str, Any] = {
            "study": self.study.public_id,
            "study_id": self.study.public_id,
            "pseudonym": self.annotator.pseudonym,
            "assignment": self.assignment.public_id,
            "assignment_id": self.assignment.public_id,
            "audience": "crowd",
            **self._questions(),
            **self._files(),
            **self._people(),
            **self._results(number),
            **self._pay(number),
        }

    def _questions(self) -> dict[str, Any]:
        questions = self.study.questions
        answer = self.annotator.answers.filter(question__kind="regular", assignment__state="done").first()
        assert answer
        questions.filter(pk=answer.question_id).update(ref=f"ref-{self.mark}")
        decide(answer.question_id, raw_answer(answer), note=self.mark, user=self.owner)
        keys = [item.key for item in self.study.items.all()[4:8]]
        candidate = questions.create(study=self.study, kind="candidate", ref="candidate", payload={"items": keys})
        gold = questions.filter(kind="gold").first()
        assert gold
        return {
            "question": answer.question.public_id,
            "gold": gold.public_id,
            "candidate": candidate.public_id,
            "ref": f"ref-{self.mark}",
        }

    def _files(self) -> dict[str, Any]:
        items = receive(
            self.study,
            purpose=Upload.Purpose.ITEMS,
            filename=f"{self.mark}.csv",
            data=b"id,text\nx1,one\n",
            user=self.owner,
        )
        return {"upload": items.public_id}

    def _people(self) -> dict[str, Any]:
        study, mark = self.study, self.mark
        member = UserFactory(name=f"Member {mark}")
        study.memberships.create(user=member, role="viewer")
        named = study.named_annotators.create(name=f"Person {mark}")
        remark = send_remark(self.annotator.pk, self.assignment.public_id, 1, kind="comment", text=f"Remark {mark}")
        return {
            "member": member.public_id,
            "named": named.public_id,
            "group": add_group(study.pk, f"Group {mark}", user=self.owner).public_id,
            "invitation": invite(study.pk, email=f"{mark}@example.org", role="viewer", user=self.owner).public_id,
            "person": study.waiting.create(email=f"{mark}@example.org").public_id,
            "message": remark.public_id,
        }

    def _results(self, number: int) -> dict[str, Any]:
        study = self.study
        report = report_on(study)
        fields = {"kind": "results", "seed": 1, "parameters": report.parameters, "versions": report.versions}
        report = study.reports.create(number=number, input=report.input, result=report.result, **fields)
        study.reports.create(
            number=number, kind="round", seed=1, result={"questions": [], "judgements": 0, "note": self.mark}
        )
        study.submissions.create(
            number=number, system=f"System {self.mark}", filename="s.csv", sha256="", size=0, content=zlib.compress(b"")
        )
        job = study.jobs.create(
            kind="report-results",
            parameters={"work": "report:results"},
            state="failed",
            error=f"Error {self.mark}",
            created_by=self.owner,
        )
        study.guidelines.create(version=number, instructions=f"Guidelines {self.mark}")
        return {
            "report": number,
            "other": number,
            "round": number,
            "system": number,
            "guidelines": number,
            **rooms.ids(rooms.objects(study, self.owner)),
            "job": job.public_id,
            "share": share_report(report.pk, days=2, user=self.owner)[0].public_id,
        }

    def _pay(self, number: int) -> dict[str, Any]:
        study = self.study
        study.payments.create(number=number, reference=f"Payment {self.mark}", paid_on=date(2026, 11, 20))
        bonus = give_bonus(
            study.pk, self.annotator.pseudonym, amount=Decimal(1), reason=f"Bonus {self.mark}", user=self.owner
        )
        bonuses = study.bonus_lists.create(number=number)
        bonuses.shares.create(participation=self.annotator, amount=Decimal(1))
        study.reported_submissions.create(
            submission_id=f"submission-{self.mark}",
            participant_id=f"participant-{self.mark}",
            status=Status.AWAITING_REVIEW,
            reported_at=timezone.now(),
        )
        import_ = study.submission_imports.create(
            source="file", filename=f"{self.mark}.csv", imported_at=timezone.now()
        )
        return {
            "payment": number,
            "bonus list": number,
            "import": import_.public_id,
            "entry": bonus.public_id,
            "submission": f"submission-{self.mark}",
        }
