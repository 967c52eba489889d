"""HITs that annotators put aside for good, and other HITs that they opened without submitting them."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet

from annotate.core.selectors.sizes import gold_in_hit
from annotate.models import Assignment, GoldSet, NetworkSighting, Participation, Study

from .networks import oldest_kept


def put_aside_left(participation: Participation) -> int:
    """Return the number of HITs that the annotator can still put aside.

    Enough gold questions must remain for the quality rule, so the number is smaller in a study with few gold questions.
    """
    spare, allowed = _spare_sets(participation.study), participation.study.put_aside_allowed
    allowance = allowed if spare is None else min(allowed, spare)
    return max(allowance - _put_aside(participation), 0)


def needs_new_gold(participation: Participation) -> bool:
    """Return whether the annotator gets only HITs with new gold questions, and is finished when no such HITs are left.

    This applies to all annotators if the study says so. It also applies to annotators who left so many HITs unsubmitted
    that too few gold questions remain for the quality rule. Otherwise, an annotator could return HITs until others have
    done them, and continue without any graded answer.
    """
    study = participation.study
    if not study.gold_block or study.gold_exhausted == Study.GoldExhausted.FINISH:
        return bool(study.gold_block)
    unsubmitted = _lapsed(study).filter(participation=participation).count() if study.rule_threshold else 0
    spare = _spare_sets(study) if unsubmitted else None
    return spare is not None and spare >= 0 and unsubmitted > min(study.put_aside_allowed, spare)


def _spare_sets(study: Study) -> int | None:
    """Return the number of gold sets beyond those that the quality rule needs, or None if the study has no gold sets or
    no rule. The number is negative if the rule can never apply.
    """
    in_hit = gold_in_hit(study)
    sets = GoldSet.objects.filter(study=study, number__isnull=False).count() if in_hit and study.rule_threshold else 0
    if not sets:
        return None
    by_hits = study.rule_unit == Study.RuleUnit.HITS
    return sets - (study.rule_minimum if by_hits else -(-study.rule_minimum // in_hit))


def _put_aside(participation: Participation) -> int:
    """Return the annotator's number of HITs put aside. In a study with the setting `network_check`, this includes HITs
    that other annotators on the same networks have put aside.
    """
    put_aside = _lapsed(participation.study).filter(reason=Assignment.PUT_ASIDE)
    return put_aside.filter(participation__in=_sharing_network(participation)).count()


def unanswered_hits(study: Study) -> dict[int, int]:
    """Return each annotator's number of opened but unsubmitted HITs, excluding the current one, by the annotators'
    keys. Annotators without such HITs are not included.
    """
    lapsed = _lapsed(study).exclude(reason=Assignment.WITHDRAWN)
    return dict(lapsed.values_list("participation").annotate(hits=Count("pk")).order_by())


def _lapsed(study: Study) -> QuerySet[Assignment]:
    return study.assignments.filter(state=Assignment.State.LAPSED, kind=Assignment.Kind.REGULAR)


def _sharing_network(participation: Participation) -> QuerySet[Participation]:
    own = Q(pk=participation.pk)
    if participation.study.network_check:
        recent = NetworkSighting.objects.filter(participation__study=participation.study_id, seen_at__gte=oldest_kept())
        hashes = recent.filter(participation=participation).values("hash")
        own |= Q(pk__in=recent.filter(hash__in=hashes).values("participation"))
    return Participation.objects.filter(own)
