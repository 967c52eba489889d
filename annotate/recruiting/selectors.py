"""Recruiting data: groups, named annotators, lists of people, questionnaires, and the survey."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from allauth.account.models import EmailAddress
from django.db.models import Aggregate, Count, Exists, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils.crypto import salted_hmac

from accord_core.exchange.csvtext import write_csv
from accord_core.exchange.identities import normalized
from accord_core.numerics.draws import draw
from annotate.core.selectors.limits import ENDED
from annotate.core.services.consent_terms import admits_strangers
from annotate.models import (
    Annotator,
    AnnotatorGroup,
    Assignment,
    HitQuestion,
    HourCount,
    ListedPerson,
    NamedAnnotator,
    Participation,
    Questionnaire,
    Screening,
    Slot,
    Study,
    SurveyResponse,
)
from annotate.recruiting.questionnaires.tallies import SurveyTable, Tally, published, tally


def groups_of(study: Study) -> QuerySet[AnnotatorGroup]:
    """Return the study's groups in the order of their creation, with `joined`, the number of annotators, `taken`, the
    number of places taken, `given`, the number of judgements that count, and `planned`, the number of judgements that
    the group's slots need, not including questions that are asked again.
    """
    continuing = ~Q(participations__standing__in=ENDED)
    judgements = HourCount.objects.filter(participation__group=OuterRef("pk"))
    questions = HitQuestion.objects.filter(hit__slots__group=OuterRef("pk"), hit__for_skipped=False)
    return study.groups.annotate(
        joined=Count("participations"),
        taken=Count("participations", filter=continuing),
        given=_of_group(judgements, "participation__group", Sum("judgements")),
        planned=_of_group(questions, "hit__slots__group", Count("pk")),
    ).order_by("pk")


def _of_group(rows: QuerySet[Any], group: str, figure: Aggregate) -> Coalesce:
    """Return the sum or number of one group's rows, or 0 if there are none."""
    return Coalesce(Subquery(rows.order_by().values(group).annotate(figure=figure).values("figure")), 0)


def places_taken_in(group: AnnotatorGroup) -> int:
    """Return the number of places in the group that are taken."""
    return Participation.objects.filter(group=group).exclude(standing__in=ENDED).count()


Kind = ListedPerson.Kind


@dataclass(frozen=True)
class PeopleList:
    """One of a study's lists, with the number of its rows and the rows that matched a person, latest first."""

    kind: str
    rows: int
    matched: list[ListedPerson]


def people_lists(study: Study) -> list[PeopleList]:
    """Return the study's lists of excluded and admitted people."""
    return [_list(study, kind) for kind in Kind.values]


def _list(study: Study, kind: str) -> PeopleList:
    rows = study.listed.filter(kind=kind)
    return PeopleList(kind, rows.count(), list(rows.exclude(matched_at=None).order_by("-matched_at", "-pk")))


def identity_hash(study: Study, value: str) -> str:
    """Return the keyed hash of an ID or address, which differs between studies."""
    return salted_hmac(f"annotate.listed {study.public_id}", normalized(value), algorithm="sha256").hexdigest()


def listed_rows(study: Study, kind: str, values: Iterable[str]) -> QuerySet[ListedPerson]:
    """Return the rows of the list that contain any of these IDs and addresses."""
    return study.listed.filter(kind=kind, hash__in=[identity_hash(study, value) for value in values if value])


def identities_of(platform: str, external_id: str, *, confirmed: bool) -> list[str]:
    """Return the IDs and addresses under which a list can contain this person. For an account, these are its e-mail
    addresses, and with `confirmed` only the confirmed ones.
    """
    if platform != Annotator.Platform.ACCOUNT:
        return [external_id] if external_id else []
    addresses = EmailAddress.objects.filter(user=int(external_id)) if external_id.isdecimal() else []
    return [address.email for address in addresses if address.verified or not confirmed]


def entries_naming(annotators: QuerySet[Annotator]) -> QuerySet[ListedPerson]:
    """Return these annotators' entries in the lists of their studies. The annotators must still have their IDs."""
    identified = annotators.filter(Exists(ListedPerson.objects.filter(study=OuterRef("study")))).select_related("study")
    hashes = [
        identity_hash(each.study, value)
        for each in identified
        for value in identities_of(each.platform, each.external_id, confirmed=False)
    ]
    return ListedPerson.objects.filter(hash__in=hashes)


@dataclass(frozen=True)
class NamedRow:
    """A named annotator, with the numbers of reserved, submitted and expected HITs. `reserved` does not include HITs
    with questions that repeated questions replaced, which Accord reserves itself. `expected` is None if the annotators
    choose from the same HITs.
    """

    named: NamedAnnotator
    reserved: int
    submitted: int
    expected: int | None

    @property
    def open_to_all(self) -> bool:
        """Return whether other annotators can claim the reserved HITs, because this annotator gets no more HITs."""
        participation = self.named.participation
        return bool(self.reserved) and participation is not None and participation.has_ended

    @property
    def share(self) -> float | None:
        """Return the submitted share of the expected HITs, from 0 to 1."""
        return min(1.0, self.submitted / self.expected) if self.expected else None


def named_rows(study: Study) -> list[NamedRow]:
    """Return the named annotators in the order they were added. Six queries."""
    people = list(study.named_annotators.exclude(name="").select_related("participation", "group").order_by("pk"))
    reserved = dict(
        Slot.objects.filter(study=study, reserved_for__isnull=False, hit__left_out_for=None)
        .values("reserved_for")
        .annotate(number=Count("pk"))
        .values_list("reserved_for", "number")
    )
    sent = Assignment.objects.filter(
        participation__in=[one.participation_id for one in people if one.participation_id],
        kind=Assignment.Kind.REGULAR,
        submitted_at__isnull=False,
    )
    submitted = dict(sent.values("participation").annotate(number=Count("pk")).values_list("participation", "number"))
    everything = hits_each(study)
    left_out = study.hits.filter(left_out_for__isnull=False).values("left_out_for").annotate(number=Count("pk"))
    more = dict(left_out.values_list("left_out_for", "number"))
    rows = []
    for one in people:
        participation = one.participation_id or 0
        own = everything or reserved.get(one.pk)
        expected = own + more.get(participation, 0) if own else None
        rows.append(NamedRow(one, reserved.get(one.pk, 0), submitted.get(participation, 0), expected))
    return rows


def hits_each(study: Study) -> int | None:
    """Return the number of HITs if each named annotator answers all of them, or None. HITs with questions that repeated
    questions replaced are not included, because only one annotator gets each of them.

    Every named annotator answers all HITs if there are as many judgements per question as named annotators. With
    quotas, the number depends on the group.
    """
    if study.has_quotas:
        return None
    everyone = study.named_annotators.exclude(name="").count() == study.judgements
    return study.hits.filter(left_out_for=None).count() if everyone else None


def slots_for_nobody(study: Study, open_slots: int) -> int:
    """Return how many of a team's open slots will stay open even if all annotators who can still answer finish their
    HITs.
    """
    if admits_strangers(study) or study.has_quotas:
        return 0
    able = study.named_annotators.exclude(pk__in=study.named_annotators.ended())
    hits = study.hits.filter(left_out_for=None).count()
    most = min(hits, study.hits_per_annotator or hits)
    had = Assignment.objects.filter(
        participation__in=able.exclude(participation=None).values("participation"),
        kind=Assignment.Kind.REGULAR,
        state__in=[Assignment.State.LEASED, Assignment.State.DONE, Assignment.State.SURPLUS],
    )
    return max(0, open_slots - able.count() * most + had.count())


def not_joined(study: Study) -> int:
    """Return the number of named annotators who have not joined the study."""
    return study.named_annotators.exclude(name="").filter(participation=None).count()


def free_slots(study: Study) -> int:
    """Return the number of open slots that are not reserved for an annotator who can still get HITs."""
    free = Q(reserved_for=None) | Q(reserved_for__in=study.named_annotators.ended())
    return Slot.objects.filter(free, study=study, open=1).count()


def links_table(rows: Sequence[NamedRow], link_of: Callable[[NamedAnnotator], str]) -> Iterator[str]:
    """Return a CSV file with the named annotators and their personal links, which `link_of` returns."""
    columns = ["name", "email", "group", "pseudonym", "link"]
    cells = (
        [
            row.named.name,
            row.named.email,
            row.named.group.name if row.named.group else "",
            row.named.participation.pseudonym if row.named.participation else "",
            link_of(row.named),
        ]
        for row in rows
    )
    return write_csv(cells, columns)


def questionnaire_file(study: Study, purpose: str) -> Iterator[bytes]:
    """Return the stored answers to all versions of a questionnaire as a CSV file with one row per person and one column
    per question, without pseudonyms. Declined and missing answers are empty cells.

    The order of the rows does not reveal the order in which people joined.
    """
    screens = purpose == Questionnaire.Purpose.SCREENING
    versions = study.questionnaires.filter(purpose=purpose).order_by("version")
    names = list(dict.fromkeys(question.name for version in versions for question in version.entries))
    model = Screening if screens else SurveyResponse
    stored: QuerySet[Any] = model._default_manager.filter(questionnaire__in=versions, answers__isnull=False)
    rows = sorted(
        stored.select_related("questionnaire"), key=lambda row: draw(study.seed, "questionnaire file", row.public_id)
    )
    first = ["version", "result"] if screens else ["version"]
    cells = (
        [str(row.questionnaire.version), str(row)][: len(first)] + [_cell(row.answers.get(name)) for name in names]
        for row in rows
    )
    return (chunk.encode() for chunk in write_csv(cells, [*first, *names]))


def _cell(answer: Any) -> str:
    """Return an answer as text, with semicolons between several options."""
    if answer is None:
        return ""
    return "; ".join(answer) if isinstance(answer, list) else str(answer)


def latest_questionnaire(study: Study, purpose: str) -> Questionnaire | None:
    """Return the latest version of a questionnaire, or None if the study has never had this questionnaire."""
    return study.questionnaires.filter(purpose=purpose).order_by("-version").first()


def active_screening(study: Study) -> Questionnaire | None:
    """Return the current screening questions, or None if the study has no screening questions."""
    latest = latest_questionnaire(study, Questionnaire.Purpose.SCREENING)
    return latest if latest and latest.questions else None


def groups_by_screening(study: Study) -> list[str]:
    """Return the names of the groups that people join by their answers to the screening questions."""
    screening = active_screening(study)
    return [name for question in screening.entries for name in question.groups] if screening else []


def screening_ending(study: Study) -> str:
    """Return the researchers' text for people who were screened out, or an empty string to use the default text."""
    latest = latest_questionnaire(study, Questionnaire.Purpose.SCREENING)
    return latest.ending if latest else ""


def earlier_screening(questionnaire: Questionnaire, *, person: str, public_id: str) -> Screening | None:
    """Return the result of this person's answers to this version of the screening questions, or None.

    `person` is the person's platform ID, and `public_id` is the ID of the result in this browser's cookie. Someone who
    was screened out in this browser or under this platform ID stays screened out. A result of an open link is valid for
    one annotator only.
    """
    hashed = person_hash(questionnaire.study, person) if person else ""
    same = Q(public_id=public_id) if public_id else Q()
    if hashed:
        same |= Q(person_hash=hashed)
    results = list(questionnaire.screenings.filter(same)) if same else []
    for result in results:
        if not result.is_admitted:
            return result
    if hashed:
        return next((result for result in results if result.person_hash == hashed), None)
    return next((result for result in results if result.participation_id is None), None)


def verified_id(participant: str) -> str:
    """Return the ID for the screening result of a participant confirmed by a signed token."""
    return f"verified {participant}"


def person_hash(study: Study, person: str) -> str:
    """Return a keyed hash of a platform ID, which cannot be reversed without the server's key. Hashes from different
    studies cannot be compared.
    """
    return salted_hmac("screened person", f"{study.public_id}\n{person}", algorithm="sha256").hexdigest()


def screenings_naming(annotators: QuerySet[Annotator]) -> QuerySet[Screening]:
    """Return these annotators' screening results, including results that were not used to join, such as answers to an
    earlier version. The annotators must still have their IDs.
    """
    in_study = Screening.objects.filter(questionnaire__study=OuterRef("study")).exclude(person_hash="")
    identified = annotators.exclude(external_id="").filter(Exists(in_study))
    hashes = [
        person_hash(each.study, known)
        for each in identified.select_related("study")
        for known in (each.external_id, verified_id(each.external_id))
    ]
    return Screening.objects.filter(Q(participation__annotator__in=annotators) | Q(person_hash__in=hashes))


@dataclass(frozen=True)
class ScreeningCounts:
    """The numbers of people who passed the screening, who then joined, and who were screened out."""

    admitted: int
    joined: int
    screened_out: int


def screening_counts(study: Study) -> ScreeningCounts:
    """Count the results of all versions of the screening questions."""
    results = Screening.objects.filter(questionnaire__study=study)
    return ScreeningCounts(
        **results.aggregate(
            admitted=Count("pk", filter=Q(is_admitted=True)),
            joined=Count("pk", filter=Q(participation__isnull=False)),
            screened_out=Count("pk", filter=Q(is_admitted=False)),
        )
    )


NOT_ASKED = (Annotator.Platform.TRY, Annotator.Platform.SIMULATED, Annotator.Platform.SYSTEM)


def survey_for(participation: Participation, *, timing: str) -> Questionnaire | None:
    """Return the survey that the annotator should answer now, or None. A survey before the first HIT is only for
    annotators who have not submitted a HIT, and a survey at the end is only for annotators who have submitted at least
    one.

    After the retention period, nobody is asked: the answers were replaced by totals, so a person could answer twice,
    and the new answers would never be deleted.
    """
    person = participation.annotator
    if participation.has_ended or person.is_program or person.platform in NOT_ASKED:
        return None
    if participation.study.personal_data_removed_at:
        return None
    survey = latest_questionnaire(participation.study, Questionnaire.Purpose.SURVEY)
    if survey is None or not survey.questions or survey.timing != timing:
        return None
    if SurveyResponse.objects.filter(participation=participation).exists():
        return None
    submitted = participation.assignments.filter(kind=Assignment.Kind.REGULAR, submitted_at__isnull=False)
    return survey if submitted.exists() == (timing == Questionnaire.Timing.AFTER) else None


def survey_tables(study: Study) -> list[SurveyTable]:
    """Return the published counts for each question in the survey, including questions in earlier versions."""
    people: Counter[str] = Counter()
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    questions = {}
    for version in _versions(study):
        own = raw_totals(version)
        for question in version.entries:
            questions[question.name] = question
            people[question.name] += own["people"]
            counts[question.name].update(own["questions"].get(question.name, {}))
    return [published(question, counts[name], people[name]) for name, question in questions.items() if people[name]]


def raw_totals(version: Questionnaire) -> dict[str, Any]:
    """Return the number of people and the unsuppressed counts for each question. The stored totals include answers that
    were deleted at the end of the retention period.
    """
    responses = [response.answers for response in version.responses.all()]
    stored: dict[str, Any] = version.totals or {}
    totals: dict[str, Tally] = {}
    for question in version.entries:
        counts = Counter(tally(question, responses))
        counts.update(stored.get("questions", {}).get(question.name, {}))
        totals[question.name] = dict(counts)
    return {"people": len(responses) + stored.get("people", 0), "questions": totals}


def survey_facts(study: Study) -> list[dict[str, Any]]:
    """Return the published counts as JSON, for reports and releases."""
    return [
        {"name": table.name, "label": table.label, "people": table.people, "counts": [list(row) for row in table.rows]}
        for table in survey_tables(study)
    ]


def _versions(study: Study) -> list[Questionnaire]:
    surveys = study.questionnaires.filter(purpose=Questionnaire.Purpose.SURVEY)
    return list(surveys.prefetch_related("responses").order_by("version"))
