"""Tagged sentences for the chunker, read from CoNLL-U files or tagged by a spaCy model."""

from __future__ import annotations

from collections.abc import Iterable

from accord_core.chunks.formats.chunk_files import read_sentences
from accord_core.exchange.conllu import TaggedSentence, read_conllu
from accord_core.exchange.encoding import as_utf8
from accord_core.exchange.extras import import_extra
from accord_core.exchange.faults import Fault, TableError, raise_faults
from accord_core.exchange.spacy_models import load_model, tagged_token


def read_tagged(data: bytes, *, name: str) -> list[TaggedSentence]:
    """Return the sentences in a CoNLL-U file, in which every token must have a universal tag. Raises TableError."""
    data = as_utf8(data, name=name)
    if b"\t" not in data:
        raise TableError.of_file(
            name, "the file contains no tabs, so it is not a CoNLL-U file. To tag plain sentences, use --model NAME"
        )
    sentences = read_conllu(data, name=name)
    faults = [
        Fault(each.line + number, "UPOS", f"“{token.form}” has no universal part-of-speech tag")
        for each in sentences
        for number, token in enumerate(each.tokens)
        if not token.upos
    ]
    raise_faults(name, faults)
    return sentences


def tag_sentences(data: bytes, *, name: str, model: str) -> list[TaggedSentence]:
    """Return the tokenised sentences in a file with one sentence per line, tagged by an installed spaCy model.

    Raises TableError if the file contains errors or the model is not installed, and MissingExtraError without spaCy.
    """
    pipeline = load_model(model, "The tagging of sentences")
    tokens_module = import_extra("spacy.tokens", "The tagging of sentences")
    sentences = []
    for each in read_sentences(data, name=name):
        doc = pipeline(tokens_module.Doc(pipeline.vocab, words=list(each.tokens)))
        sentences.append(TaggedSentence(tuple(map(tagged_token, doc)), each.line, {}))
    refuse_untagged(sentences, model=model, name=name)
    return sentences


def refuse_untagged(sentences: Iterable[TaggedSentence], *, model: str, name: str) -> None:
    """Raise TableError if a spaCy model left tokens without tags, as models without a tagger do."""
    for each in sentences:
        if any(not token.upos for token in each.tokens):
            message = f"the spaCy model {model} does not assign universal part-of-speech tags. Choose another model"
            raise TableError(name, [Fault(each.line or None, None, message)])
