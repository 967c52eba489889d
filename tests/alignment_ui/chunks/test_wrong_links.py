"""The expected number of wrong links in a final chunk annotation."""

import pytest

from accord_core.chunks.numerics.chunks import RELATIONS
from accord_core.chunks.numerics.link_cells import AnnotatedPair
from accord_core.chunks.numerics.modelled import modelled
from alignment_ui.chunks.columns import Asked, Collected, GoldPair, Judgement
from tests.ists_pairs import link, pair


def annotation(*types):
    """Return links of the chunks a–p, b–q and so on, with these types, and NOALI for chunks without a type."""
    links = []
    for place, kind in enumerate(types):
        if kind is None:
            links += [link([place], [], "NOALI", None), link([], [place], "NOALI", None)]
        else:
            links.append(link([place], [place], kind, 5.0 if kind == "EQUI" else 3.0))
    return pair(*links, source="a b c", target="p q r")


def pairs_of(number):
    """Annotator 2 gives one link of each third pair another type and omits another link."""
    true, wrong = annotation("EQUI", "SIMI", "REL"), annotation("EQUI", "REL", None)
    return [AnnotatedPair({0: true, 1: true, 2: wrong if n % 3 == 0 else true}) for n in range(number)]


def test_links_types_and_missing_links_count():
    pairs = pairs_of(12)
    model = modelled(pairs, 3, many_to_many=False)
    final = {0: pairs[0].answers[2], 1: pairs[1].answers[0]}
    estimates = model.estimates()[0]
    expected = 1 - estimates[0, 0].linked * estimates[0, 0].types[RELATIONS.index("EQUI")]
    expected += 1 - estimates[1, 1].linked * estimates[1, 1].types[RELATIONS.index("REL")]
    expected += estimates[2, 2].linked
    wrong = model.wrong_links(final)
    assert wrong[0] == pytest.approx(expected)
    assert wrong[0] > 1
    assert wrong[1] < 0.2
    assert model.wrong_links({0: pairs[0].answers[0]})[0] < 1


def test_gold_decides_who_is_right():
    """Two annotators disagree on one link. The gold answers show whose links are missing or wrong."""
    less, more = annotation("EQUI", "SIMI", None), annotation("EQUI", "SIMI", "REL")
    asked = [Asked(f"p{n}", "", less.source, less.target, None, None) for n in range(12)]
    judgements = [Judgement(n, who, each, None) for n in range(12) for who, each in enumerate((less, more))]
    wrong = []
    for expected in (less, more):
        gold = [GoldPair(expected, None, {0: less, 1: more}) for _ in range(12)]
        inputs = Collected(asked, ["a", "b"], judgements, [], gold, many_to_many=False)
        wrong.append(inputs.modelled_with_gold().wrong_links(dict.fromkeys(range(12), less))[0])
    without_gold = inputs.modelled.wrong_links(dict.fromkeys(range(12), less))[0]
    assert wrong[0] < without_gold - 0.1
    assert wrong[1] > 0.95
