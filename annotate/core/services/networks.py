"""Services that detect stopped annotators who return from the same network. Addresses are not stored.

Each hash is keyed with the server's secret key and the study. A hash cannot be calculated from an address without the
key, and hashes of two studies cannot be compared.
"""

from __future__ import annotations

from django.utils import timezone
from django.utils.crypto import salted_hmac

from annotate.core.selectors.networks import oldest_kept
from annotate.models import NetworkSighting, Participation, Study

from .writing import write


def note_network(participation: Participation, network: str) -> None:
    """Store a keyed hash of an annotator's network if the study has the setting `network_check`.

    Has no effect before consent or if the network is unknown.
    """
    study = participation.study
    if not study.network_check or not network or participation.consented_at is None:
        return
    with write():
        NetworkSighting.objects.update_or_create(
            participation=participation, hash=network_hash(study, network), defaults={"seen_at": timezone.now()}
        )


def delete_old_networks() -> int:
    """Delete network hashes that are older than 30 days or belong to studies without the setting `network_check`.
    Return the number of deleted hashes.
    """
    with write():
        old, _ = NetworkSighting.objects.filter(seen_at__lt=oldest_kept()).delete()
        unwanted, _ = NetworkSighting.objects.filter(participation__study__network_check=False).delete()
    return old + unwanted


def network_hash(study: Study, network: str) -> str:
    """Return the HMAC-SHA256 of the network, with a key derived from `SECRET_KEY`, as 64 hexadecimal digits."""
    return salted_hmac("annotator network", f"{study.public_id}\n{network}", algorithm="sha256").hexdigest()
