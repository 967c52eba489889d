"""Submissions on Prolific, matched with submissions and participants in Accord."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from annotate.models import Annotator, Participation, ProlificSubmission, ReportedSubmission, Study
from annotate.prolific.advice import Match


@dataclass(frozen=True)
class Pair:
    """A submission on Prolific, with the corresponding work in Accord."""

    reported: ReportedSubmission | None
    own: ProlificSubmission | None
    participation: Participation | None
    match: Match


def pairs_of(study: Study) -> list[Pair]:
    """Match Prolific's submissions with submissions in Accord by submission ID, or otherwise by participant ID."""
    own = list(
        ProlificSubmission.objects.filter(study=study)
        .exclude(participant_id="", submission_id="")
        .select_related("participation__annotator")
        .order_by("-pk")
    )
    people = {
        each.annotator.external_id: each
        for each in study.participations.filter(annotator__platform=Annotator.Platform.PROLIFIC)
        .exclude(annotator__external_id="")
        .select_related("annotator")
    }
    by_id = {each.submission_id: each for each in own if each.submission_id}
    nameless = {each.participant_id: each for each in own if not each.submission_id}
    pairs, used = [], set()
    for reported in study.reported_submissions.order_by("-started_at", "-pk"):
        mine = by_id.get(reported.submission_id) or nameless.pop(reported.participant_id, None)
        if mine is None:
            person = people.get(reported.participant_id)
            pairs.append(Pair(reported, None, person, Match.PARTICIPANT if person else Match.NOT_IN_ACCORD))
            continue
        used.add(mine.pk)
        pairs.append(Pair(reported, mine, mine.participation, _match(reported, mine)))
    pairs += [Pair(None, each, each.participation, Match.NOT_ON_PROLIFIC) for each in own if each.pk not in used]
    seen = {pair.participation.pk for pair in pairs if pair.participation}
    pairs += [Pair(None, None, one, Match.NOT_ON_PROLIFIC) for one in people.values() if one.pk not in seen]
    return pairs


def _match(reported: ReportedSubmission, own: ProlificSubmission) -> Match:
    if own.participant_id != reported.participant_id:
        return Match.CONFLICT
    return Match.SUBMISSION if own.submission_id else Match.PARTICIPANT


def places_of(pairs: Sequence[Pair]) -> dict[int, list[int]]:
    """Return the positions of each participation's pairs."""
    places: defaultdict[int, list[int]] = defaultdict(list)
    for place, pair in enumerate(pairs):
        if pair.participation:
            places[pair.participation.pk].append(place)
    return places
