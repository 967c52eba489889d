"""HITs that annotators put aside for good, and other HITs that they opened without submitting them."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet

from annotate.models import Assignment, GoldSet, NetworkSighting, Participation, Study

from .design import gold_in_hit
from .networks import oldest_kept


def put_aside_allowance(study: Study) -> int:
    """Return the number of HITs that an annotator can put aside.

    Putting HITs aside must not replace gold questions that the quality rule needs. The allowance is therefore smaller
    in a study with few gold questions.
    """
    in_hit = gold_in_hit(study)
    if not in_hit or not study.rule_threshold:
        return study.put_aside_allowed
    sets = GoldSet.objects.filter(study=study, number__isnull=False).count()
    needed = study.rule_minimum if study.rule_unit == Study.RuleUnit.HITS else -(-study.rule_minimum // in_hit)
    return min(study.put_aside_allowed, max(sets - needed, 0)) if sets else study.put_aside_allowed


def put_aside_count(participation: Participation) -> int:
    """Return the number of HITs that the annotator has put aside. In a study with the setting `network_check`, this
    includes HITs that other annotators on the same networks have put aside.
    """
    put_aside = _lapsed(participation.study).filter(reason=Assignment.PUT_ASIDE)
    return put_aside.filter(participation__in=_sharing_network(participation)).count()


def unanswered_hits(study: Study) -> dict[int, int]:
    """Return the number of HITs that each annotator opened but did not submit, except the current HIT, by the
    annotators' keys. Annotators without such HITs are left out.
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
