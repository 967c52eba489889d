"""The chunk-alignment options on a study's settings page."""

from __future__ import annotations

from alignment_ui.pairs.languages import OPTIONS as LANGUAGES
from annotate.tasktypes import Option
from annotate.tasktypes.options import PEOPLE_SHARE

OPTIONS = (
    *LANGUAGES,
    Option(
        "many",
        "Several links per chunk",
        False,
        "boolean",
        locked=True,
        help="If this option is on, chunks are linked many to many, as in the 2016 task, and a chunk without a "
        "link counts as NOALI. If the option is off, chunks are linked one to one, as in the 2015 task, "
        "and annotators mark each "
        "unlinked chunk as NOALI or ALIC.",
    ),
    Option(
        "begin",
        "Initial annotation",
        "chunks",
        "choice",
        (
            ("words", "words only; annotators make the chunks"),
            ("chunks", "chunks from the file, or made by annotators"),
            ("links", "chunks and links, if the file contains them"),
        ),
        locked=True,
        help="Choose this option before you import items, because it determines what Accord reads from a .wa file.",
    ),
    Option(
        "guidelines",
        "Imported files that break the guidelines",
        "refuse",
        "choice",
        (
            ("refuse", "refuse the file and list every error"),
            ("warn", "import the file as it stands, with warnings"),
        ),
        help="The rules are those of `accord ists check --strict`. Errors in chunks or links that the study does not "
        "use are always warnings. Some published gold files break the guidelines. Choose warnings to import these "
        "files.",
        is_quiet=True,
    ),
    Option(
        "dataset",
        "Metadata column with the dataset",
        "dataset",
        help="Reports show the agreement separately for each value in this column.",
        is_quiet=True,
    ),
    Option(
        "offers",
        "Offer likely matches and types",
        True,
        "boolean",
        locked=True,
        help="The key U numbers three likely matches of the next chunk, and the panel suggests a type and score if "
        "the words make them likely. The log marks accepted offers with “offer”. Mechanical Turk pages do not "
        "make offers.",
        is_quiet=True,
    ),
    Option(
        "f1",
        "Minimum F1 to pass a gold question",
        0.7,
        "number",
        minimum=0.01,
        maximum=1,
        help="F1 compares the annotator's links with the expected links, ignoring types and scores.",
    ),
    PEOPLE_SHARE,
)
