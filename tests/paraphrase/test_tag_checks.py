"""Tests of the checks of paraphrase sets with part-of-speech tags."""

import pytest
from click.testing import CliRunner

from accord_core.exchange.conllu import TaggedToken
from accord_core.paraphrase.systems.formats.pham import SetSentence
from accord_core.paraphrase.systems.numerics.tag_checks import comparable_text, structure, tag_checks, tense
from annotate.commands.main import main


def tagged(text):
    """Return the tokens of a text such as `A/DET man/NOUN plays/VERB:VBZ`."""
    parts = [part.rsplit("/", 1) for part in text.split()]
    return [TaggedToken(form, upos=tag.split(":")[0], xpos=tag.partition(":")[2]) for form, tag in parts]


SENTENCES = [
    ("P", "A/DET man/NOUN plays/VERB:VBZ a/DET guitar/NOUN"),
    ("P", "A/DET old/ADJ man/NOUN plays/VERB:VBZ a/DET bass/NOUN guitar/NOUN ./PUNCT"),
    ("P", "Two/NUM men/NOUN played/VERB:VBD a/DET guitar/NOUN"),
    ("P", "A/DET man/NOUN is/AUX:VBZ playing/VERB:VBG loudly/ADV"),
    ("S", "A/DET guitar/NOUN plays/VERB:VBZ a/DET man/NOUN"),
    ("SD", "No/DET guitar/NOUN plays/VERB:VBZ a/DET boy/NOUN"),
    ("D", "Not/PART tagged/VERB"),
]


def checks(tags=SENTENCES):
    sentences = [
        SetSentence(("I", "1"), kind, (), " ".join(token.form for token in tagged(text)), line)
        for line, (kind, text) in enumerate(SENTENCES, start=1)
    ]
    return tag_checks(sentences, {comparable_text(sentences[n].text): tagged(text) for n, (_, text) in enumerate(tags)})


def test_every_rule():
    """The auxiliary and the adverb are no parts of speech of the paper, and “boy” is in no P sentence."""
    found = checks(SENTENCES[:-1])
    assert [(each.sentence.line, each.rule) for each in found.violations] == [
        (3, "tense"),
        (4, "part-of-speech"),
        (4, "part-of-speech"),
        (4, "structure"),
        (6, "kept-words"),
    ]
    assert (found.checked, found.without_tags, found.without_tense) == (6, 1, 1)
    assert found.violations[3].message == "the structure NOUN VERB differs from NOUN VERB NOUN in the set"


def test_one_verb_is_needed():
    assert [each.rule for each in checks().violations if each.sentence.line == 7] == ["part-of-speech", "kept-words"]
    assert structure(tagged("A/DET bass/NOUN guitar/NOUN plays/VERB it/PRON")) == "NOUN VERB"


@pytest.mark.parametrize(
    ("features", "xpos", "expected"),
    [
        ({"Tense": "Pres", "VerbForm": "Fin"}, "", "Pres"),
        ({"Tense": "Past"}, "", "Past"),
        ({"Tense": "Past", "VerbForm": "Part"}, "VBN", "Part"),
        ({}, "VBP", "Pres"),
        ({"VerbForm": "Fin"}, "", ""),
        ({}, "VBD", "Past"),
    ],
)
def test_the_tense_of_a_verb(features, xpos, expected):
    assert tense(TaggedToken("x", upos="VERB", xpos=xpos, features=features)) == expected


def test_the_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sets.txt").write_text("(I)\n\n1\nP 1 2 A cook peels a carrot\nP 1 2 A cook peeled a carrot.\n")
    rows = [
        "\n".join(f"{n}\t{token.form}\t_\t{token.upos}\t{token.xpos}\t_\t_\t_\t_\t_" for n, token in enumerate(part, 1))
        for part in (
            tagged("A/DET cook/NOUN peels/VERB:VBZ a/DET carrot/NOUN"),
            tagged("A/DET cook/NOUN peeled/VERB:VBD a/DET carrot/NOUN ./PUNCT"),
        )
    ]
    (tmp_path / "sets.conllu").write_text("\n\n".join(rows) + "\n")
    result = CliRunner().invoke(main, ["evaluate", "check-sets", "sets.txt", "sets.conllu", "--format", "csv"])
    assert (result.exit_code, result.stdout.splitlines()[1:]) == (
        1,
        ["5,A cook peeled a carrot.,tense,the verb is not in the present tense"],
    )
    (tmp_path / "good.txt").write_text("(I)\n\n1\nP 1 2 A cook peels a carrot\nP 1 2 The cook peels a carrot\n")
    result = CliRunner().invoke(main, ["evaluate", "check-sets", "good.txt", "sets.conllu"])
    assert (result.exit_code, "0 of 1 checked sentences break a rule" in result.stdout) == (0, True)
    assert result.stderr == "accord: note: 1 sentences are not in sets.conllu and were not checked\n"
    (tmp_path / "other.txt").write_text("(I)\n\n1\nP 1 2 A dog barks\n")
    result = CliRunner().invoke(main, ["evaluate", "check-sets", "other.txt", "sets.conllu"])
    assert result.stderr == "accord: sets.conllu contains none of the sentences of other.txt\n"
