"""The requests and jobs that `script/walks` follows, with the data of a demonstration study."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from io import BytesIO
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl import Workbook

from annotate.core.services.credentials import participation_token
from annotate.core.services.jobs import run
from annotate.management.commands.demo import EXAMPLES, create_example
from annotate.models import Job, Participation, Study, User
from annotate.pay.selectors.balances import OWED, pay_rows
from annotate.questions.selectors.adjudication import Queue
from tests.factories import do_hit, make_annotator, make_study, raw_answer
from tests.rooms import rows
from tests.walks import Tracer, Walk

PROLIFIC = {name: f"5f{number:022}" for number, name in enumerate(("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"))}


def walks() -> list[Walk]:
    """Return the walks of all requests and jobs, and then the functions that run before and after them."""
    folder = EXAMPLES / "relatedness"
    config = tomllib.loads((folder / "study.toml").read_text(encoding="utf-8"), parse_float=Decimal)
    config["simulation"]["hits"] = 24
    owner = User.objects.create_user("walks@accord.example")
    study = create_example(owner, folder, config)
    client = Client()
    client.force_login(owner)
    done(client.get("/console/"))  # the first request imports all pages
    tracer = Tracer()
    annotate(tracer, study)
    report(tracer, study, client)
    decide(tracer, study, client)
    pay(tracer, study, client)
    for walk in rows("WALKS"):
        walk(tracer, study, client)
    import_spreadsheet(tracer, make_study(user=owner, items=0, state=Study.State.DRAFT), client)
    notice = "Simulated annotators only."
    finish_on_prolific(tracer, make_study(user=owner, recruitment=Study.Recruitment.PROLIFIC, privacy_notice=notice))
    around = {"around these pages and operations": tracer.around_views, "around these jobs": tracer.around_jobs}
    return [*tracer.walks, *(Walk(name, tuple(functions)) for name, functions in around.items())]


def annotate(tracer: Tracer, study: Study) -> None:
    person = make_annotator(study)
    do_hit(person)  # the practice questions
    program = Client(headers={"Authorization": f"Participation {participation_token(person)}"})
    with tracer.walk("HIT claimed"):
        claimed = done(program.post("/api/v1/claims")).json()["assignment"]["id"]
    assignment = person.assignments.get(public_id=claimed)
    answer = assignment.answers.filter(question__kind="regular").order_by("position")[0]
    sent = {"value": raw_answer(answer), "seconds": 4}
    place = f"/api/v1/assignments/{claimed}/answers/{answer.position}"
    with tracer.walk("answer stored"):
        done(program.put(place, sent, content_type="application/json"))


def report(tracer: Tracer, study: Study, client: Client) -> None:
    with tracer.walk("report requested"):
        done(client.post(page(study, "results/compute/")))
    calculate(tracer, "report calculated", study.jobs.get(kind="report-results"))
    with tracer.walk("report shown"):
        done(client.get(page(study, "results/1/")))


def decide(tracer: Tracer, study: Study, client: Client) -> None:
    done(client.get(page(study, "adjudicate/")))  # calculates the agreement, by which the queue is sorted
    question = study.questions.get(pk=Queue(study).first() or 0)
    value = {"value": '{"best": 1, "worst": 2}', "note": ""}
    with tracer.walk("question decided"):
        done(client.post(page(study, f"adjudicate/{question.public_id}/"), value))


def pay(tracer: Tracer, study: Study, client: Client) -> None:
    row = next(row for row in pay_rows(study) if row.state == OWED)
    due = f"{row.pseudonym} {row.owed} {row.balance.paid}"
    sent = {"reference": "Transfer 7", "paid_on": study.created_at.date(), "who": "selected", "due": [due]}
    with tracer.walk("annotator paid"):
        done(client.post(page(study, "pay/record/"), sent))


def import_spreadsheet(tracer: Tracer, study: Study, client: Client) -> None:
    book, content = Workbook(), BytesIO()
    for row in [("id", "text"), *((f"i{number}", f"Sentence {number}.") for number in range(12))]:
        book.active.append(row)
    book.save(content)
    file = SimpleUploadedFile("items.xlsx", content.getvalue())
    address = done(client.post(page(study, "bring/items/"), {"file": file})).url
    with tracer.walk("spreadsheet imported"):
        done(client.post(f"{address}import/"))
    assert study.items.count() == 12


def finish_on_prolific(tracer: Tracer, study: Study) -> None:
    browser = Client()
    done(browser.post(f"/join/{study.join_token}", PROLIFIC | {"eligible": "on"}))
    do_hit(Participation.objects.get(study=study))
    with tracer.walk("overview of a Prolific participant"):
        done(browser.get(f"/s/{study.public_id}"))
    with tracer.walk("Prolific submission ended"):
        done(browser.post(f"/s/{study.public_id}/finish"))


def calculate(tracer: Tracer, name: str, job: Job) -> None:
    with tracer.walk(name, job=True):
        run(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.error


def done(response: Any) -> Any:
    """Return a response that is a page or a redirection."""
    assert response.status_code in (200, 302), response.content.decode()
    return response


def page(study: Study, place: str) -> str:
    return f"/console/{study.public_id}/{place}"
