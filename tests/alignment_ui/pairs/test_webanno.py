"""Tests of word alignments in WebAnno TSV 3.3, in the form in which INCEpTION writes documents."""

from __future__ import annotations

import pytest

from accord_core.pairs.formats.corpus import SentencePair
from accord_core.pairs.numerics.links import Alignment
from tests.alignment_ui.pairs.alignments import faults, links, read, written

PAIR = SentencePair("p:1", ("The", "😀", "cat\\"), ("Die", "Katze"), Alignment.of([(1, 0), (2, 1)], [(0, 0)]))
DOCUMENT = """#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.AlignedWord|side
#T_RL=webanno.custom.WordLink|kind|BT_webanno.custom.AlignedWord


#Sentence.id=p:1/source
#Text=The 😀 cat\\\\
1-1	0-3	The	source	_	_	
1-2	4-6	😀	source	_	_	
1-3	7-11	cat\\	source	_	_	

#Sentence.id=p:1/target
#Text=Die Katze
2-1	12-15	Die	target	possible|sure	1-1|1-2	
2-2	16-21	Katze	target	sure	1-3	
"""  # noqa: W291
# A document of another project: other layers, an annotation of two words, and relations without a kind.
OTHER = """#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.Note|
#T_SP=webanno.custom.Phrase|value
#T_CH=webanno.custom.Coref|referenceType|referenceRelation
#T_RL=webanno.custom.Match|BT_webanno.custom.Phrase


#Text=They had gone
1-1	0-4	They	_	*	_	_	_	_	
1-2	5-8	had	*	p[3]	_	_	*	2-2	
1-3	9-13	gone	_	p[3]	_	_	_	_	
1-3.1	9-11	go	_	_	_	_	_	_	

#Text=They left
2-1	14-18	They	_	*	_	_	*	1-1	
2-2	19-23	left	_	q[4]|r[5]	_	_	*|*	1-2[3_4]|1-1[0_5]	
"""  # noqa: W291


def test_a_document_is_written_with_offsets_in_utf_16_and_read_again() -> None:
    assert written([PAIR], "webanno").decode() == DOCUMENT
    corpus = read(DOCUMENT)
    assert (corpus.format, corpus.ids) == ("webanno", "own")
    assert [pair[:4] for pair in corpus.pairs] == [PAIR[:4]]


def test_other_layers_directions_and_annotations_of_several_words() -> None:
    corpus = read(OTHER)
    assert [(pair.id, pair.source, pair.target) for pair in corpus.pairs] == [
        (None, ("They", "had", "gone"), ("They", "left")),
    ]
    assert links(corpus.pairs) == [([(0, 0), (0, 1), (1, 1), (2, 1)], [])]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("\t1-3\t", "\t2-1\t", 15, "2-1 is not a word of the other sentence of the pair"),
        ("\t1-3\t", "\t1-9\t", 15, "the source sentence has no token 8, only tokens 0 to 2"),
        ("\tsure\t1-3", "\tmaybe\t1-3", 15, "a link must be “sure” or “possible”, not maybe"),
        ("16-21", "16-99", 15, "the offsets 16-99 are outside the text of the sentence"),
        ("4-6", "3-6", 9, "the token ' 😀' at the offsets 3-6 contains whitespace"),
        ("2-2\t", "2-3\t", 15, "the row must begin with 2-2 and two offsets such as 0-4"),
        ("#T_RL=webanno.custom.WordLink|kind|BT_webanno.custom.AlignedWord\n", "", 1, "must have the relation layer"),
    ],
)
def test_each_error_names_its_line(old: str, new: str, line: int, message: str) -> None:
    assert old in DOCUMENT
    found = faults(DOCUMENT.replace(old, new))
    assert len(found) == 1
    assert found[0][0] == line
    assert message in found[0][2]


def test_a_document_with_an_odd_number_of_sentences_is_refused() -> None:
    [(_, _, message)] = faults(DOCUMENT.partition("\n#Sentence.id=p:1/target")[0])
    assert "the document has 1 sentence," in message
