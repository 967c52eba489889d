"""Tests of contrast sentences: the variants of NP V NP sentences, and the sentences outside the pattern."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.paraphrase.systems.formats.pham import read_paraphrase_sets
from accord_core.paraphrase.systems.numerics.contrast import OutsidePattern, contrast_sentences
from paraphrase.systems.contrast_files import contrasts_of_file


def made(sentence, **options):
    found = {}
    for kind, text in contrast_sentences(sentence, **options):
        found.setdefault(kind, []).append(text)
    return found


class TestVariants:
    def test_of_two_determiners(self):
        assert made("The cook peels a carrot") == {
            "S": ["The carrot peels a cook"],
            "D": [
                "The cook peels no carrot",
                "No cook peels a carrot",
                "No cook peels no carrot",
                "No cook peels some carrot",
                "Some cook peels no carrot",
            ],
            "SD": [
                "The carrot peels no cook",
                "No carrot peels a cook",
                "No carrot peels no cook",
                "No carrot peels some cook",
                "Some carrot peels no cook",
            ],
        }

    def test_nouns_with_their_adjectives_and_without(self):
        sentence = "A tired cook peels the big carrot"
        assert made(sentence, adjectives="with")["S"] == ["A big carrot peels the tired cook"]
        assert made(sentence, adjectives="without")["S"] == ["A tired carrot peels the big cook"]
        assert made(sentence)["S"] == ["A big carrot peels the tired cook", "A tired carrot peels the big cook"]

    def test_without_adjectives_both_ways_are_one(self):
        ways = [contrast_sentences("The cook peels a carrot", adjectives=way) for way in ("both", "with", "without")]
        assert ways[0] == ways[1] == ways[2]

    def test_an_object_without_determiner_takes_none_along(self):
        assert made("The cook peels fruit.") == {
            "S": ["Fruit peels the cook."],
            "D": ["No cook peels fruit."],
            "SD": ["Fruit peels no cook."],
        }

    def test_articles_follow_their_words(self):
        assert made("An old cook peels an apple", adjectives="with")["S"] == ["An apple peels an old cook"]
        assert made("The cook peels an apple")["S"] == ["The apple peels a cook"]
        assert made("A cook visits the university")["S"] == ["A university visits the cook"]
        assert made("A cook names the hour")["S"] == ["An hour names the cook"]

    def test_where_the_sentence_has_no_an_its_variants_have_none(self):
        assert made("A cook peels a apple")["S"] == ["A apple peels a cook"]

    def test_some_is_not_changed_to_some(self):
        assert made("Some cook peels a carrot")["D"] == [
            "Some cook peels no carrot",
            "No cook peels a carrot",
            "No cook peels no carrot",
            "No cook peels some carrot",
        ]

    def test_a_noun_swapped_with_itself_is_no_variant(self):
        assert "S" not in made("A dog chases a dog")

    def test_the_verb_is_what_stands_before_the_second_determiner(self):
        assert made("A bus driver peels a carrot", adjectives="with")["S"] == ["A carrot peels a bus driver"]

    @given(
        *[
            st.sampled_from(words)
            for words in (
                ("a", "the", "every"),
                (("",), ("small",), ("big", "red")),
                ("cook", "dog"),
                ("sees", "carries"),
                ("a", "the", "some", ""),
                (("",), ("tall",)),
                ("carrot", "table"),
            )
        ]
    )
    def test_every_variant_is_of_its_kind(self, d1, adjectives, noun, verb, d2, others, other):
        sentence = " ".join(filter(None, [d1, *adjectives, noun, verb, d2, *others, other])).capitalize()
        found = contrast_sentences(sentence)
        assert len({text for _, text in found} | {sentence}) == len(found) + 1
        for kind, text in found:
            words = text.lower().split()
            swapped = words.index(noun) > words.index(verb)
            assert (kind in ("S", "SD")) == swapped
            assert (kind in ("D", "SD")) == ("no" in words)
            assert words[-1] == (noun if swapped else other)


class TestOutside:
    @pytest.mark.parametrize(
        ("sentence", "reason"),
        [
            ("A cook is peeling a carrot", "“is” is not part of NP V NP"),
            ("A cook looks at a carrot", "“at” is not part of NP V NP"),
            ("A cook sleeps", "the sentence has fewer than four words"),
            ("Two cooks peel a carrot", "“two” makes the subject plural, which would not fit the verb after a swap"),
            ("Cooks peel the big carrots", "the sentence does not begin with a determiner"),
            ("No cook peels a carrot", "the sentence is already negated"),
            ("A cook peels the carrots", "“carrots” looks like a plural, which would not fit the verb after a swap"),
            ("A cook peels 3 carrots", "“3” is not a plain word"),
            ("The cook peeled a carrot", "the word before “a” is not a verb in -s"),
            ("The cook peeled fresh fruit", "no word could be the verb"),
            ("The old sports fan sees fruit", "“sports” and “sees” could be the verb"),
            ("The cook peels fruit quickly", "“quickly” could be an adverb"),
            ("The cook sits peeling fruit", "“peeling” could be a participle"),
            ("A cook gives a dog the carrot", "the sentence has 3 determiners"),
            ("A very old tired hungry cook peels a carrot", "“very” is not part of NP V NP"),
            ("A big old tired hungry cook peels a carrot", "“big old tired hungry cook” has more than 3 modifiers"),
        ],
    )
    def test_is_told_and_not_guessed(self, sentence, reason):
        with pytest.raises(OutsidePattern) as raised:
            contrast_sentences(sentence)
        assert str(raised.value) == reason


class TestFiles:
    SETS = b"(I)\n\n1\nP 7 31 A cook peels a carrot\nP 7 31 Cooks peel carrots\nD 7 31 No cook peels a carrot\n"

    def test_variants_join_their_set_and_none_is_there_twice(self):
        found = contrasts_of_file(self.SETS, name="sets.txt")
        sets = read_paraphrase_sets("".join(found.chunks).encode(), name="out")
        assert sets.warnings == []
        assert [each.kind for each in sets.sentences] == ["P"] * 2 + ["S"] + ["D"] * 5 + ["SD"] * 5
        assert all(each.numbers == ("7", "31") for each in sets.sentences)
        assert (found.sentences, found.variants) == (2, 10)
        assert [str(fault) for fault in found.outside] == [
            "line 5: “Cooks peel carrots” is not NP V NP: the sentence has fewer than four words"
        ]

    def test_plain_sentences_give_a_table(self):
        found = contrasts_of_file(b"\nThe cook peels fruit\nA cook sleeps\n", name="s.txt")
        assert "".join(found.chunks).splitlines() == [
            "line,sentence,kind,variant",
            "2,The cook peels fruit,S,Fruit peels the cook",
            "2,The cook peels fruit,D,No cook peels fruit",
            "2,The cook peels fruit,SD,Fruit peels no cook",
        ]
        assert [fault.line for fault in found.outside] == [3]
