"""Simulated annotators, who use the same services as annotators in a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from accord_core.numerics.draws import draw, generator
from annotate import tasktypes
from annotate.core.permissions import Action, Actor, refuse_state, require
from annotate.core.selectors.participations import current_consent
from annotate.core.selectors.quotas import groups_of_slots
from annotate.core.services.claim import claim
from annotate.core.services.submit import AnswerSent, submit
from annotate.core.services.writing import write
from annotate.models import Annotator, Answer, Assignment, Item, Participation, Study
from annotate.recruiting.services.join import accept_consent, join
from annotate.server.refusals import Refused

LOOKS_UP = 0.04  # the share of answers during which careful annotators open another window
LEAVES = 0.6  # the same share for careless annotators
PAUSES = {False: (1_600.0, 0.3), True: (700.0, 0.03)}  # ms between two presses, and the spread from answer to answer
SPREAD = {False: 0.8, True: 0.06}  # the interquartile range of these times within an answer, as a share of the median
STRAIGHT = {False: (0.88, 0.04), True: (0.97, 0.01)}  # mean and spread of the straightness of pointer paths


def simulated_summary(careless: bool, *names: int | str) -> dict[str, Any]:
    """Return an activity summary for an answer, drawn from `names`.

    Careful annotators click at irregular intervals and rarely use another window. Careless annotators often use another
    window, and click at short and even intervals.
    """
    dice = generator("activity", *names)
    presses = 3 + int(dice.poisson(3.0))
    pause, varies = PAUSES[careless]
    median = pause * float(np.exp(dice.normal(0.0, varies)))
    straight, around = STRAIGHT[careless]
    left = bool(dice.random() < (LEAVES if careless else LOOKS_UP))
    return {
        "untrusted_events": 0,
        "webdriver": False,
        "focus_losses": int(left),
        "unfocused_seconds": round(float(dice.gamma(6.0, 2.0)), 1) if left else 0,
        "pastes": 0,
        "pasted_length": "",
        "keys": 0,
        "key_interval_median": None,
        "key_interval_iqr": None,
        "presses": presses,
        "press_interval_median": round(median, 1),
        "press_interval_iqr": round(median * SPREAD[careless] * float(dice.uniform(0.8, 1.2)), 1),
        "pointer_paths": presses,
        "straightness": round(min(1.0, max(0.0, float(dice.normal(straight, around)))), 3),
    }


CHECK_EVERY = 20  # HITs between two checks for answers from people, so that the checks take little time


@dataclass(frozen=True)
class Simulated:
    """The result of a simulation: the numbers of annotators, submitted HITs and stopped annotators."""

    annotators: int
    hits: int
    stopped: int


def simulate(
    study: Study,
    *,
    user: Actor,
    annotators: int,
    careless: float = 0.0,
    seed: int = 1,
    hits: int | None = None,
    truth: Mapping[str, tasktypes.Json] | None = None,
    as_people: bool = False,
    since: datetime | None = None,
    progress: Callable[[float, str], None] = lambda share, message: None,
) -> Simulated:
    """Simulate `annotators` annotators until `hits` HITs have been submitted or no HIT is left.

    The share `careless` of the annotators answers at random. Annotators take turns, so the same study, seed and
    versions produce the same judgements. `truth` maps item keys to numbers in [0, 1] or to values that the task type
    understands. By default, it is drawn from the seed. Simulated annotators earn nothing, and are never counted as
    people. If `as_people` is true, the annotators of an example study appear and earn like people. HITs that the
    annotators have submitted after `since` count towards `hits`, so that a restarted job continues its simulation.

    Raises `Refused` if the user's role does not allow simulations (`not-allowed`), if the study is not open (`state`),
    or if the study contains answers from people (`people`), also if people answer during the simulation.
    """
    require(study, user, Action.ADD_AUTOMATIC_ANNOTATORS)
    study.refresh_from_db(fields=["state"])
    refuse_state(study, Action.ADD_AUTOMATIC_ANNOTATORS)
    if _answered_by_people(study):
        raise Refused(
            "people",
            "This study contains answers from people. Simulated answers count towards the results, so they cannot be "
            "mixed with answers from people. Copy the study, and simulate annotators in the copy.",
        )
    truths = dict(truth) if truth is not None else draw_truth(study, seed)
    everyone = [_Simulated(study, number, careless, seed, truths, as_people) for number in range(annotators)]
    own = [person.participation.pk for person in everyone]
    submitted = _submitted_since(own, since)
    most = study.assignments_planned if hits is None else hits
    for _ in _turns(everyone, None if hits is None else hits - submitted):
        submitted += 1
        if submitted % CHECK_EVERY == 0 and not as_people:
            _refuse_people_who_joined(study, submitted)
        progress(submitted / most if most else 0.0, f"{submitted:,} HIT{'s'[: submitted != 1]} submitted")
    if not as_people:
        _refuse_people_who_joined(study, submitted)
    stopped = study.participations.filter(pk__in=own, standing=Participation.Standing.STOPPED).count()
    return Simulated(annotators, submitted, stopped)


def _turns(everyone: Sequence[_Simulated], hits: int | None) -> Iterator[None]:
    """Let the annotators take turns to submit HITs, and yield after each submitted HIT."""
    working, submitted = list(everyone), 0
    while working:
        for person in list(working):
            if hits is not None and submitted >= hits:
                return
            if person.work():
                submitted += 1
                yield
            else:
                working.remove(person)


def _submitted_since(participations: Sequence[int], since: datetime | None) -> int:
    """Return the number of HITs submitted by these annotators since this time."""
    if since is None:
        return 0
    hits = Assignment.objects.filter(participation__in=participations, submitted_at__gte=since)
    return hits.exclude(kind=Assignment.Kind.PRACTICE).count()


def _refuse_people_who_joined(study: Study, submitted: int) -> None:
    if _answered_by_people(study):
        raise Refused(
            "people",
            f"People answered questions in this study during the simulation. The simulation ended after {submitted:,} "
            "HITs, because simulated answers would otherwise be mixed with answers from people. The submitted HITs "
            "still count. Copy the study, and simulate annotators in the copy.",
        )


def _answered_by_people(study: Study) -> bool:
    answers = Answer.objects.filter(participation__in=study.participations.people(), given_at__isnull=False)
    return answers.exclude(assignment__kind__in=Assignment.NOT_BY_PEOPLE).exists()


def draw_truth(study: Study, seed: int) -> dict[str, float]:
    """Use the seed to draw a true value in [0, 1) for each item key."""
    return {key: draw(seed, "truth", key) for key in Item.objects.filter(study=study).values_list("key", flat=True)}


class _Simulated:
    """One simulated annotator, who claims and submits HITs as a browser does."""

    def __init__(
        self,
        study: Study,
        number: int,
        careless: float,
        seed: int,
        truth: Mapping[str, tasktypes.Json],
        as_people: bool,
    ) -> None:
        self.study, self.seed, self.truth = study, seed, truth
        self.task = tasktypes.get(study.task_type)
        self.careless = draw(seed, "careless", number) < careless
        groups = groups_of_slots(study)  # in a study with quotas, each group gets annotators in proportion
        group = study.groups.get(pk=groups[number % len(groups)]) if groups else None
        self.participation = (
            join(study, platform=Annotator.Platform.WEB, group=group)
            if as_people
            else join(
                study,
                platform=Annotator.Platform.SIMULATED,
                external_id=f"{study.public_id}-{seed}-{number}",
                group=group,
            )
        )
        # The participation's seed must depend on the simulation's seed, because positions and gold questions are drawn
        # from it.
        with write():
            Participation.objects.filter(pk=self.participation.pk).update(
                seed=int(draw(seed, "annotator", number) * 2**53)
            )
        consent = current_consent(study)
        accept_consent(self.participation.pk, consent.pk if consent else None, eligible=True)
        self.name = number

    def work(self) -> bool:
        """Submit one HIT. If the annotator has not practised yet, answer the practice questions first. Return False if
        no HIT is available for this annotator.
        """
        while True:
            assignment = claim(self.participation.pk).assignment
            if assignment is None:
                return False
            submit(self.participation.pk, assignment.public_id, list(self._answers(assignment)))
            if assignment.kind != Assignment.Kind.PRACTICE:
                return True

    def _answers(self, assignment: Assignment) -> Iterator[AnswerSent]:
        for answer in assignment.answers.select_related("question").order_by("position"):
            question = answer.question
            purpose = "answer again" if answer.repeat else "answer"
            dice = generator(self.seed, purpose, self.name, question.ref)
            keys = self.task.item_keys(question.payload)
            truth = {key: self.truth[key] for key in keys} or {"": question.gold}
            raw = self.task.simulate(question.payload, answer.shown, truth, self.study.options, self.careless, dice)
            yield AnswerSent(
                answer.position,
                raw,
                seconds=round(float(dice.gamma(8.0, 3.0)), 1),
                activity=self._activity(question.ref),
            )

    def _activity(self, question: str) -> tasktypes.Json:
        """Return a summary of the annotator's activity during a question, or None if the study does not collect
        activity summaries.
        """
        if not self.study.activity_summaries:
            return None
        return simulated_summary(self.careless, self.seed, self.name, question)
