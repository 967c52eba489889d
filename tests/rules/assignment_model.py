"""A model of the states of assignments in plain Python, which states the expected contents of the database after any
sequence of actions.

If the rules let the database choose, for example which open HIT a claim leases, the model lists the possible choices.
"""

from dataclasses import dataclass, field
from typing import Any

MINIMUM, THRESHOLD = 2, 0.7  # of the quality rule


@dataclass
class Person:
    stopped: bool = False
    graded: list[bool] = field(default_factory=list)  # since the last restoration

    def fails(self) -> bool:
        return len(self.graded) >= MINIMUM and sum(self.graded) / len(self.graded) < THRESHOLD


@dataclass
class Work:
    """An assignment."""

    person: int
    hit: int
    size: int
    gold: set[int]
    state: str = "leased"
    overdue: bool = False
    submitted: bool = False
    credited: bool = False
    open_at_stop: bool = False  # begun, but not submitted, at the time of the stop
    values: dict[int, Any] = field(default_factory=dict)
    drafts: dict[int, Any] = field(default_factory=dict)
    missed: set[int] = field(default_factory=set)  # gold questions with feedback
    unseen: set[int] = field(default_factory=set)  # missed gold questions before their acknowledgement

    def final(self, position: int) -> bool:
        return position in self.values and (self.submitted or position in self.missed)


class Model:
    """HITs with their questions and the numbers of their slots, people, and assignments in the order of
    their claims.
    """

    def __init__(self, hits: dict[int, int], questions: dict[int, set[int]], people: int) -> None:
        self.slots, self.questions = dict(hits), questions
        self.people = [Person() for _ in range(people)]
        self.works: list[Work] = []

    def open(self, hit: int) -> int:
        return self.slots[hit] - sum(work.hit == hit and work.state in ("leased", "done") for work in self.works)

    def works_of(self, person: int, *states: str) -> list[Work]:
        return [work for work in self.works if work.person == person and work.state in states]

    def reap(self) -> None:
        self.release([work for work in self.works if work.overdue], "lapsed")

    def release(self, ended: list[Work], state: str) -> None:
        """Assign free slots to the surplus assignments of other people, oldest first."""
        freed = [work.hit for work in ended if work.state in ("leased", "done")]
        for work in ended:
            work.state, work.overdue = state, False
        for hit in freed:
            heir = next((work for work in self.works if work.hit == hit and work.state == "surplus"), None)
            if heir:
                heir.state = "done"

    def add_slot(self, hit: int) -> None:
        """Assign a new slot to the oldest surplus assignment."""
        self.slots[hit] += 1
        heir = next((work for work in self.works if work.hit == hit and work.state == "surplus"), None)
        if heir:
            heir.state = "done"

    def next_for(self, person: int) -> tuple[list[Work], set[int]]:
        """Return the assignment that a claim must return, or the HITs from which the claim can choose."""
        resumed = self.works_of(person, "leased") or [
            work for work in self.works_of(person, "lapsed") if self.open(work.hit)
        ]
        met = {question for work in self.works if work.person == person for question in self.questions[work.hit]}
        return resumed[:1], {hit for hit in self.slots if self.open(hit) and not self.questions[hit] & met}

    def answer(self, work: Work, position: int, value: Any, right: bool) -> bool:
        """Store an answer, and return whether the annotator gets feedback for the first time. Only the first answer to
        a gold question is graded.
        """
        first_gold = position in work.gold and position not in work.values
        if first_gold:
            self.people[work.person].graded.append(right)
            work.missed |= set() if right else {position}
            work.unseen |= set() if right else {position}
        if not work.submitted:
            # The page sent the answer before it knew of the stop.
            work.credited |= work.open_at_stop and work.values.get(position) != value
            work.values[position] = value
            work.drafts.pop(position, None)
        return first_gold and not right

    def submit(self, work: Work) -> None:
        """A HIT that was interrupted by a stop stays void. The study pays for it if the annotator had begun it."""
        if work.state != "void":
            room = work.state == "leased" or self.open(work.hit) > 0
            work.state, work.overdue = "done" if room else "surplus", False
        work.credited |= work.state != "void" or work.open_at_stop
        work.submitted = True

    def look_at_rule(self, person: int) -> None:
        if not self.people[person].stopped and self.people[person].fails():
            self.stop(person)

    def stop(self, person: int) -> None:
        self.people[person].stopped = True
        works = self.works_of(person, "leased", "lapsed", "done", "surplus")
        for work in self.works_of(person, "leased") or works[-1:]:
            work.open_at_stop = not work.submitted and bool(work.values or work.drafts)
            work.credited |= work.open_at_stop and work.state == "leased"
        self.release(works, "void")

    def restore(self, person: int) -> None:
        self.people[person] = Person()
        for work in self.works_of(person, "void"):
            work.open_at_stop, work.credited = False, work.credited or work.submitted
            work.state = "lapsed" if not work.submitted else "done" if self.open(work.hit) else "surplus"
