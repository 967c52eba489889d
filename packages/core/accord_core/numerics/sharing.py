"""Functions that distribute a study's HITs evenly among named annotators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence


def share_evenly(
    hits: Iterable[tuple[int, int]], members: Sequence[int], taken: Mapping[int, set[int]]
) -> dict[int, list[int]]:
    """Return the members that each HIT is assigned to. All members receive about the same number of HITs.

    `hits` contains each HIT with its number of free slots. `taken` contains the HITs that each member already has,
    which count towards the member's share. No member gets a HIT twice. If a HIT has more free slots than there are
    members without this HIT, the remaining slots stay free. Ties go to the member who comes first in `members`. If no
    member has a HIT at the start, the shares differ by at most one HIT.
    """
    loads = {member: len(taken.get(member, ())) for member in members}
    shares: dict[int, list[int]] = {}
    for hit, free in hits:
        without = [member for member in members if hit not in taken.get(member, ())]
        shares[hit] = sorted(without, key=loads.__getitem__)[:free]
        for member in shares[hit]:
            loads[member] += 1
    return shares
