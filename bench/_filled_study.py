"""A large best–worst study that is written directly into PostgreSQL.

Each HIT has five questions, one gold question and four slots, which are claimed in rounds. Most assignments are done.
The assignments of every fiftieth annotator are void, some assignments are surplus and some are leased. Each annotator
works in sessions of twenty HITs, with one session per day. Columns that a statement does not name get the model's
default, so new columns need no change here.
"""

# ruff: noqa: S608 - all parts of these statements come from this file

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import NOT_PROVIDED, Field, Model
from django.utils import timezone

from accord_core.bws.numerics.reliability import spearman_brown
from annotate.core.permissions import SYSTEM
from annotate.core.services.counts import recount
from annotate.core.services.slot_counts import store_slot_counts
from annotate.data.selectors.design import shape
from annotate.models import (
    Annotator,
    Answer,
    Assignment,
    Event,
    Hit,
    HitQuestion,
    Item,
    Participation,
    PayEntry,
    Payment,
    Question,
    QuestionFigures,
    Slot,
    Study,
    Upload,
    User,
)
from annotate.results.services import save_report
from annotate.studies.services.study import create_study
from annotate.tasktypes import Flag, Person
from bws.headline import headline

QUESTIONS_IN_HIT, JUDGEMENTS, GOLD = 5, 4, 400
HITS_EACH = 170  # of one annotator, on average
STOPPED_EVERY = 50


@dataclass(frozen=True)
class Size:
    """The sizes of the study, derived from the number of answers. One in six answers is a gold answer."""

    answers: int

    @property
    def submitted(self) -> int:
        return self.answers // (QUESTIONS_IN_HIT + 1)

    @property
    def questions(self) -> int:
        return -(-self.answers // (JUDGEMENTS * QUESTIONS_IN_HIT)) * QUESTIONS_IN_HIT

    @property
    def hits(self) -> int:
        return self.questions // QUESTIONS_IN_HIT

    @property
    def annotators(self) -> int:
        """A number coprime to the number of HITs, so that no annotator gets a HIT twice in one round."""
        number = max(7, self.submitted // HITS_EACH)
        while self.hits % number == 0 or any(number % d == 0 for d in range(2, int(number**0.5) + 1)):
            number += 1
        return number


def filled_study(answers: int, user: User, title: str) -> Study:
    """Create a study with about `answers` submitted answers and as many items as questions."""
    size = Size(answers)
    study = create_study(
        user=user,
        title=title,
        task_type="bws",
        options={"factor": 1},
        instructions="Choose the pair.",
        judgements=JUDGEMENTS,
        reward="0.30",
        seed=7,
        consent="I agree.",
        rule_threshold="0.5",
    )
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # disables foreign keys and triggers
        try:
            _material(study, size)
            _work(study, size)
            _log(study)
            _pay(study)
            _agreement(study)
        finally:
            cursor.execute("SET session_replication_role = DEFAULT")
    store_slot_counts(study)
    recount(study.pk)
    _reports(study, size)
    return Study.objects.get(pk=study.pk)


def _material(study: Study, size: Size) -> None:
    upload = Upload.objects.create(
        study=study,
        purpose="items",
        filename="items.csv",
        content=b"",
        size=0,
        rows=size.questions,
        revealed_at=timezone.now(),
    )
    _insert(
        Item,
        f"generate_series(0, {size.questions - 1}) n",
        study_id=study.pk,
        upload_id=upload.pk,
        key="'i' || n",
        content="json_build_object('sentence1', 'The ' || n || 'th boat left the harbour at dawn.', 'sentence2', "
        "'Boat ' || n || ' was out at sea before anybody was awake.')",
        metadata="json_build_object('source', 's' || n % 7)",
    )
    steps = _steps(size.questions)
    four = ", ".join(f"'i' || (n + {step}) % {size.questions}" for step in steps)
    _insert(
        Question,
        f"generate_series(1, {size.questions}) n",
        study_id=study.pk,
        ref="'tuple-' || lpad(n::text, 6, '0')",
        public_id=f"substr(md5('{study.pk}q' || n), 1, 22)",
        payload=f"json_build_object('items', ARRAY[{four}])",
    )
    gold = ", ".join(f"'i' || (n * 11 + {step}) % {size.questions}" for step in steps)
    _insert(
        Question,
        f"generate_series(1, {GOLD}) n",
        study_id=study.pk,
        kind="'gold'",
        ref="'gold-' || n",
        public_id=f"substr(md5('{study.pk}g' || n), 1, 22)",
        payload=f"json_build_object('items', ARRAY[{gold}])",
        gold=f"json_build_object('best', 'i' || (n * 11 + {steps[3]}) % {size.questions}, 'worst', "
        f"'i' || (n * 11) % {size.questions})",
    )
    _insert(Hit, f"generate_series(1, {size.hits}) n", study_id=study.pk, number="n")
    _insert(
        HitQuestion,
        f"(SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM annotate_question "
        f"WHERE study_id = {study.pk} AND kind = 'regular') q JOIN annotate_hit h "
        f"ON h.study_id = {study.pk} AND h.number = q.n / {QUESTIONS_IN_HIT} + 1",
        hit_id="h.id",
        question_id="q.id",
        position=f"q.n % {QUESTIONS_IN_HIT} + 1",
    )
    _insert(
        Slot,
        f"generate_series(0, {JUDGEMENTS - 1}) r JOIN annotate_hit h ON h.study_id = {study.pk}",
        study_id=study.pk,
        hit_id="h.id",
        place=f"r * {size.hits} + h.number",
        open=f"CASE WHEN {_state(f'(r * {size.hits} + h.number - 1)', size)} IN ('done', 'leased') THEN 0 ELSE 1 END",
    )


def _steps(questions: int) -> tuple[int, int, int, int]:
    return 0, questions // 7 + 1, questions // 3 + 2, questions // 2 + 3


def _state(n: str, size: Size) -> str:
    """Return SQL for the state of the n-th assignment, counted from 0. It is NULL for slots that were never claimed."""
    done, people = size.submitted, size.annotators
    surplus = done + max(2, done // 200)
    return (
        f"CASE WHEN {n} % {people} % {STOPPED_EVERY} = 3 THEN CASE WHEN {n} < {done} THEN 'void' END "
        f"WHEN {n} < {done} THEN 'done' WHEN {n} < {surplus} THEN 'surplus' "
        f"WHEN {n} < {surplus + people // 4} THEN 'leased' END"
    )


def _work(study: Study, size: Size) -> None:
    people, hits = size.annotators, size.hits
    _insert(
        Annotator,
        f"generate_series(1, {people}) n",
        study_id=study.pk,
        platform="'prolific'",
        external_id="md5('person' || n)",
    )
    number = (
        f"(SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM annotate_annotator WHERE study_id = {study.pk}) a"
    )
    _insert(
        Participation,
        number,
        study_id=study.pk,
        annotator_id="a.id",
        pseudonym="'heron-' || a.n",
        seed="a.n + 1",
        public_id=f"substr(md5('{study.pk}p' || a.n), 1, 22)",
        standing=f"CASE WHEN a.n % {STOPPED_EVERY} = 3 THEN 'stopped' ELSE 'active' END",
        joined_at="now() - interval '70 days' + a.n % 30 * interval '1 day'",
    )
    most = size.submitted + max(2, size.submitted // 200) + people // 4
    who = (
        "(SELECT id, row_number() OVER (ORDER BY id) - 1 AS who, joined_at FROM annotate_participation "
        f"WHERE study_id = {study.pk})"
    )
    began = (
        f"p.joined_at + (n / {people} / 20) * interval '1 day' + (n / {people} % 20) * interval '70 seconds' "
        f"+ n % {people} * interval '41 seconds'"
    )
    state = f"({_state('n', size)})"
    _insert(
        Assignment,
        f"generate_series(0, {most - 1}) n JOIN {who} p ON p.who = n % {people} "
        f"JOIN annotate_hit h ON h.study_id = {study.pk} AND h.number = n % {hits} + 1 "
        f"JOIN annotate_slot s ON s.hit_id = h.id AND s.place = n + 1 WHERE {state} IS NOT NULL ORDER BY n",
        study_id=study.pk,
        participation_id="p.id",
        hit_id="h.id",
        slot_id=f"CASE WHEN {state} <> 'surplus' THEN s.id END",
        public_id=f"substr(md5('{study.pk}a' || n), 1, 22)",
        state=state,
        lease_until=f"CASE WHEN {state} = 'leased' THEN now() + interval '1 hour' ELSE {began} END",
        claimed_at=f"CASE WHEN {state} = 'leased' THEN now() ELSE {began} END",
        reward="0.30",
        submitted_at=f"CASE WHEN {state} <> 'leased' THEN {began} + interval '60 seconds' END",
        credited=f"{state} <> 'leased'",
        seconds=f"CASE WHEN {state} <> 'leased' THEN 45 + n % 61 END",
    )
    _answers(study)


def _answers(study: Study) -> None:
    """Insert answers in the order of the assignments: the item with the highest number is best, with some noise."""
    gold_at = f"(a.id % {QUESTIONS_IN_HIT + 1} + 1)"
    mine = "(row_number() OVER (PARTITION BY a.participation_id ORDER BY a.id))"
    source = f"""(
        SELECT a.id, a.participation_id, a.state, a.claimed_at, hq.question_id, q.payload, NULL::json AS gold,
               hq.position + (hq.position >= {gold_at})::int AS position
        FROM annotate_assignment a JOIN annotate_hitquestion hq ON hq.hit_id = a.hit_id
        JOIN annotate_question q ON q.id = hq.question_id WHERE a.study_id = {study.pk}
        UNION ALL
        SELECT a.id, a.participation_id, a.state, a.claimed_at, g.id, g.payload, g.gold, {gold_at}
        FROM (SELECT *, {mine} AS k FROM annotate_assignment a WHERE study_id = {study.pk}) a
        JOIN (SELECT *, row_number() OVER (ORDER BY id) - 1 AS g FROM annotate_question
              WHERE study_id = {study.pk} AND kind = 'gold') g ON g.g = (a.participation_id * 7 + a.k) % {GOLD}
        ORDER BY 1, 8
    ) x,
    LATERAL (SELECT x.state <> 'leased' AS given, (x.id * 31 + x.position * 17 + x.participation_id) % 10 AS noise) y,
    LATERAL (SELECT CASE WHEN x.gold IS NOT NULL AND y.noise < 8 THEN x.gold ELSE json_build_object(
        'best', x.payload->'items'->(CASE WHEN y.noise < 6 THEN 3 ELSE 2 END),
        'worst', x.payload->'items'->(CASE WHEN y.noise IN (1, 7) THEN 1 ELSE 0 END)) END AS value) v"""
    right = "(v.value::jsonb = x.gold::jsonb)"  # only jsonb has an equality
    _insert(
        Answer,
        source,
        assignment_id="x.id",
        participation_id="x.participation_id",
        question_id="x.question_id",
        position="x.position",
        shown="'[2, 0, 3, 1]'::json",
        value="CASE WHEN y.given THEN v.value END",
        given_at="CASE WHEN y.given THEN x.claimed_at + x.position * interval '9 seconds' END",
        seconds="7.5 + y.noise",
        tally=f"CASE WHEN y.given AND x.gold IS NOT NULL THEN json_build_object('right', {right}::int, 'wrong', "
        f"(NOT {right})::int) END",
        passed=f"CASE WHEN y.given AND x.gold IS NOT NULL THEN {right} END",
        acknowledged_at="CASE WHEN y.given AND x.gold IS NOT NULL THEN x.claimed_at + interval '55 seconds' END",
        disputed=f"COALESCE(y.given AND x.gold IS NOT NULL AND NOT {right} AND x.id % 40 = 0, false)",
    )
    _run(f"""UPDATE annotate_participation p SET graded = g.given, tallies = json_build_object('right', g.passed,
        'wrong', g.given - g.passed) FROM (SELECT participation_id, count(*) AS given, count(*) FILTER (WHERE passed)
        AS passed FROM annotate_answer WHERE tally IS NOT NULL GROUP BY 1) g
        WHERE g.participation_id = p.id AND p.study_id = {study.pk}""")


def _log(study: Study) -> None:
    """Log that each annotator joined and that some were stopped, a few of them since yesterday."""
    of_study = f"annotate_participation p WHERE p.study_id = {study.pk}"
    _insert(
        Event,
        of_study,
        study_id=study.pk,
        participation_id="p.id",
        verb="'joined'",
        at="p.joined_at",
        detail='\'{"platform": "prolific"}\'::json',
    )
    _insert(
        Event,
        f"{of_study} AND p.standing = 'stopped'",
        study_id=study.pk,
        participation_id="p.id",
        verb="'stopped'",
        at="now() - (p.id % 9) * interval '20 hours'",
        detail='\'{"cause": "quality rule", "assignments": 160, "opened": 150}\'::json',
    )


def _pay(study: Study) -> None:
    """Record ten payments to two in three annotators, and give every tenth annotator a bonus."""
    _insert(
        Payment,
        "generate_series(1, 10) n",
        study_id=study.pk,
        number="n",
        reference="'Transfer ' || n",
        paid_on="current_date",
    )
    _insert(
        PayEntry,
        f"annotate_participation p, annotate_payment m WHERE p.study_id = {study.pk} AND m.study_id = {study.pk} "
        "AND p.id % 3 > 0",
        study_id=study.pk,
        participation_id="p.id",
        public_id=f"substr(md5('{study.pk}e' || p.id || '/' || m.id), 1, 22)",
        kind="'payment'",
        amount="1.50",
        payment_id="m.id",
    )
    _insert(
        PayEntry,
        f"annotate_participation p WHERE p.study_id = {study.pk} AND p.id % 10 = 0",
        study_id=study.pk,
        participation_id="p.id",
        public_id=f"substr(md5('{study.pk}b' || p.id), 1, 22)",
        kind="'bonus'",
        amount="2.00",
        reason="'Careful work'",
    )


def _agreement(study: Study) -> None:
    """Store the figures of all questions. Annotators disagree about two questions in three."""
    _insert(
        QuestionFigures,
        f"(SELECT id, row_number() OVER (ORDER BY id) AS n FROM annotate_question WHERE study_id = {study.pk}) q",
        study_id=study.pk,
        question_id="q.id",
        judgements=str(JUDGEMENTS),
        agreement="LEAST(q.n % 12, 8) / 8.0",
        seconds="5 + q.n % 40",
    )


def _reports(study: Study, size: Size) -> None:
    """Store the design report, and the headlines of the progress reports as the study grew."""
    result = {
        "questions": size.questions,
        "hits": size.hits,
        "slots": size.hits * JUDGEMENTS,
        "checks": [],
        "charts": {},
        "judgements": size.questions * JUDGEMENTS,
        "last_hit": QUESTIONS_IN_HIT,
    }
    study.design = save_report(
        study, kind="design", parameters={"shape": shape(study)}, seed=7, columns=None, result=result, user=SYSTEM
    )
    study.state, study.opened_at = Study.State.OPEN, timezone.now()
    study.save()
    for number in range(1, 21):
        mean = 0.6 + number / 100
        spearman, interval = {"mean": mean, "sd": 0.01}, {"low": mean - 0.05, "high": mean + 0.05}
        judgements = size.answers * number // 24
        reliability = {
            "within": {"spearman": spearman, "same_annotators": interval, "annotations": judgements},
            "whole": {"spearman": spearman, "interval": {"spearman": interval, "generalises_to": "tuples"}},
        }
        reliability["forecast"] = {"target": 0.85, "within": size.answers * 2, "whole": size.answers * 3}
        reliability["forecast"] |= dict.fromkeys(("within_of_all", "whole_of_all"), spearman_brown(mean))
        figures = {"judgements": judgements, "headline": headline(reliability).as_json()}
        save_report(study, kind="progress", parameters={}, seed=7, columns=None, result=figures, user=SYSTEM)
    names = study.participations.order_by("pk").values_list("pseudonym", flat=True)
    people = [_person(number, name).as_json() for number, name in enumerate(names)]
    result = {"judgements": size.answers, "headline": headline(reliability).as_json(), "people": people}
    # The report has no scores, so its files cannot be written. Pages do not measure the files of a large report.
    packed = bytes(max(4 * size.answers, 1_000_000))
    save_report(study, kind="results", parameters={}, seed=7, columns=packed, result=result, user=SYSTEM)


def _person(number: int, name: str) -> Person:
    """Return the figures of an annotator. Every twentieth annotator has a sign of careless answers."""
    flags = [Flag("Agreement at chance", "The agreement is .26.", p=1 / (1000 + number))] if number % 20 == 0 else []
    places = (200, 210, 190, 220)
    return Person(name, 820, 170, 150, 0.6, 400, 20.0, places=places, places_note="level is careful", flags=flags)


def analyze() -> None:
    """Vacuum and analyze the tables, as autovacuum does on a server that runs longer than a benchmark."""
    _run("VACUUM (ANALYZE)")


def _insert(model: type[Model], source: str, **values: Any) -> None:
    """Insert `values` (SQL by column) from `source`. Every other column gets the model's default."""
    fields = [field for field in model._meta.local_concrete_fields if not field.primary_key and not field.generated]
    constants = [field for field in fields if field.column not in values]
    columns = [field.column for field in fields if field.column in values] + [field.column for field in constants]
    chosen = [str(values[field.column]) for field in fields if field.column in values] + ["%s"] * len(constants)
    sql = f"INSERT INTO {model._meta.db_table} ({', '.join(columns)}) SELECT {', '.join(chosen)} FROM {source}"
    _run(sql.replace("%", "%%").replace("%%s", "%s"), [_default(field) for field in constants])


def _default(field: Field) -> Any:
    if getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False):
        value: Any = timezone.now()
    elif field.default is NOT_PROVIDED:
        value = None if field.null else ""
    else:
        value = field.get_default()
    return field.get_db_prep_save(value, connection)


def _run(sql: str, parameters: list[Any] | None = None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
