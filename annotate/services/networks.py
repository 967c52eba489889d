"""Noticing that a stopped annotator returns from the same network, without storing any address.

Each hash is keyed with the server's secret key and the study, so that it cannot be computed from an address without
the key, and hashes of two studies cannot be compared.
"""

from __future__ import annotations

from django.utils import timezone
from django.utils.crypto import salted_hmac

from annotate.models import NetworkSighting, Participation, Study
from annotate.selectors.networks import oldest_kept

from .writing import write


def note_network(participation: Participation, network: str) -> None:
    """Keep a keyed hash of the network that an annotator came from, if the study's consent text names it.

    Does nothing before consent, for an unknown network, and in a study without the setting.
    """
    study = participation.study
    if not study.network_check or not network or participation.consented_at is None:
        return
    with write():
        NetworkSighting.objects.update_or_create(
            participation=participation, hash=network_hash(study, network), defaults={"seen_at": timezone.now()}
        )


def forget_old_networks() -> int:
    """Delete hashes older than 30 days, and hashes of studies that no longer have the setting; returns how many."""
    with write():
        old, _ = NetworkSighting.objects.filter(seen_at__lt=oldest_kept()).delete()
        unwanted, _ = NetworkSighting.objects.filter(participation__study__network_check=False).delete()
    return old + unwanted


def network_hash(study: Study, network: str) -> str:
    """HMAC-SHA256 of the network under a key derived from `SECRET_KEY`, as 64 hexadecimal digits."""
    return salted_hmac("annotator network", f"{study.public_id}\n{network}", algorithm="sha256").hexdigest()
