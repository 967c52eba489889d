"""The train, dev and test splits of a dataset. A hash of the IDs assigns the items, and items with the same text stay
together.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import isinf
from typing import NamedTuple

from accord_core.numerics.draws import draw

PARTS = ("train", "dev", "test")
Proportions = tuple[float, float, float]
DEFAULT: Proportions = (0.8, 0.1, 0.1)


class Split(NamedTuple):
    """Each item's split and group. Each group is named after one of its items. Both lists are in item order. `moved` is
    the number of items whose split differs from the earlier assignment.
    """

    parts: list[str]
    groups: list[str]
    moved: int

    @property
    def sizes(self) -> dict[str, int]:
        counts = Counter(self.parts)
        return {part: counts[part] for part in PARTS}

    @property
    def largest_group(self) -> int:
        return max(Counter(self.groups).values(), default=0)


class _Group(NamedTuple):
    name: str
    stratum: str
    members: list[int]


def plain(text: str) -> str:
    """Return the normalised form used to compare texts. The form is in NFC, and ignores differences in case and
    whitespace.
    """
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def split_items(
    keys: Sequence[str],
    texts: Sequence[Collection[str]],
    strata: Sequence[str],
    *,
    seed: int,
    proportions: Proportions = DEFAULT,
    earlier: Mapping[str, str] | None = None,
) -> Split:
    """Assign n items to the train, dev and test splits.

    Items that share one of their `texts`, directly or through other items, form a group and get the same part. The
    stratum of a group is the most frequent stratum of its items. In each stratum, the groups are sorted by a hash of
    the seed and their IDs, and are cut into parts in the given proportions, starting at a random place of the order.
    The parts therefore depend neither on the order of the items nor on other strata. If k items are added to a stratum,
    only items near the three borders between the parts change.

    With an `earlier` assignment, all earlier items keep their part, and new groups fill the parts that are too small.
    If an earlier train item and an earlier test item are now in the same group, the group gets the part that comes
    first in `PARTS`, because it may have been used for training. Raises ValueError for repeated keys, or if the
    proportions are negative or all 0.
    """
    if min(proportions) < 0 or sum(proportions) <= 0:
        raise ValueError(
            f"The proportions {proportions} must not be negative, and at least one must be greater than 0."
        )
    repeated = next((key for key, times in Counter(keys).items() if times > 1), None)
    if repeated is not None:
        raise ValueError(f"The key {repeated} occurs twice, but each item needs its own key.")
    kept = earlier or {}
    groups = _groups(keys, texts, strata, seed)
    parts = [""] * len(keys)
    names = [""] * len(keys)
    by_stratum: dict[str, list[_Group]] = defaultdict(list)
    for group in groups:
        by_stratum[group.stratum].append(group)
        for place in group.members:
            names[place] = group.name
    for stratum, here in by_stratum.items():
        for group, part in _assigned(stratum, here, keys, kept, proportions, seed):
            for place in group.members:
                parts[place] = part
    moved = sum(key in kept and kept[key] != part for key, part in zip(keys, parts, strict=True))
    return Split(parts, names, moved)


def shared_texts(parts: Sequence[str], texts: Sequence[Collection[str]]) -> list[str]:
    """Return the texts that occur in items of different splits. The list is empty if the splits share no texts."""
    parts_with: dict[str, set[str]] = defaultdict(set)
    for part, here in zip(parts, texts, strict=True):
        for text in _compared(here):
            parts_with[text].add(part)
    return [text for text, found in parts_with.items() if len(found) > 1]


def score_bins(scores: Sequence[float], bins: int) -> list[str]:
    """Return each score's bin, from 1 to `bins`, as text. All bins have the same width."""
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    if isinf(high - low):
        return score_bins([score / 4 for score in scores], bins)
    width = (high - low) / bins or 1.0
    return [str(min(int((score - low) / width), bins - 1) + 1) for score in scores]


def _groups(keys: Sequence[str], texts: Sequence[Collection[str]], strata: Sequence[str], seed: int) -> list[_Group]:
    members: dict[int, list[int]] = defaultdict(list)
    for place, root in enumerate(_linked(texts)):
        members[root].append(place)
    groups = []
    for places in members.values():
        # The name depends on hashes of the IDs, so that an added item rarely changes the name of its group.
        name = min((keys[place] for place in places), key=lambda key: (draw(seed, "split", key), key))
        counts = Counter(strata[place] for place in places)
        groups.append(_Group(name, min(counts, key=lambda stratum: (-counts[stratum], stratum)), places))
    return groups


def _linked(texts: Sequence[Collection[str]]) -> list[int]:
    """Return a number for each item, which is the same for items that share a text directly or through other items."""
    parent = list(range(len(texts)))

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    first: dict[str, int] = {}
    for place, here in enumerate(texts):
        for text in _compared(here):
            parent[root(place)] = root(first.setdefault(text, place))
    return [root(place) for place in range(len(texts))]


def _assigned(
    stratum: str,
    groups: Sequence[_Group],
    keys: Sequence[str],
    kept: Mapping[str, str],
    proportions: Proportions,
    seed: int,
) -> Iterable[tuple[_Group, str]]:
    new: list[_Group] = []
    sizes: Counter[str] = Counter()
    for group in groups:
        earlier = {kept[keys[place]] for place in group.members if keys[place] in kept}
        if earlier:
            part = next(part for part in PARTS if part in earlier)
            sizes[part] += len(group.members)
            yield group, part
        else:
            new.append(group)
    total = sum(len(group.members) for group in groups)
    shares = [share / sum(proportions) for share in proportions]
    lacking = [max(0.0, share * total - sizes[part]) for share, part in zip(shares, PARTS, strict=True)]
    yield from _cut(stratum, new, lacking if sum(lacking) > 0 else shares, seed)


def _cut(stratum: str, groups: Sequence[_Group], shares: Sequence[float], seed: int) -> Iterable[tuple[_Group, str]]:
    """Yield each group's split. A group is assigned to the split that contains the middle of the group."""
    total = sum(len(group.members) for group in groups)
    start = draw(seed, "start", stratum)
    before = 0
    for group in sorted(groups, key=lambda group: (draw(seed, "group", group.name), group.name)):
        middle = (before + len(group.members) / 2) / total
        before += len(group.members)
        yield group, _part_at((middle + start) % 1, shares)


def _part_at(place: float, shares: Sequence[float]) -> str:
    end = 0.0
    for part, share in zip(PARTS, shares, strict=True):
        end += share / sum(shares)
        if place < end:
            return part
    return next(part for part, share in zip(reversed(PARTS), reversed(shares), strict=True) if share > 0)


def _compared(texts: Iterable[str]) -> set[str]:
    return {text for raw in texts if (text := plain(raw))}
