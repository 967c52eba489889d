"""A methods section as a document, in the formats in which authors use it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from accord_core.exchange.printed_tables import escape_latex, escape_markdown
from annotate.tasktypes import Publication
from reporting import sentences
from reporting.methods.bibliography import bibtex, reference
from reporting.sentences import Sentence

FOLDER = "methods"
OPEN = "Still to state"
NUMBERS_HEADER = (
    "% Each comment is the path of a value: result in report/results.json, facts in raw/study.json, counts of the "
    "rows in raw/, and answers of the authors.\n"
)


@dataclass(frozen=True)
class Part:
    """A paragraph with its heading. `name` identifies the part in programs."""

    name: str
    heading: str
    sentences: Sequence[Sentence]


@dataclass(frozen=True)
class MethodsSection:
    """The parts of a methods section, the statements that its authors must still add, and the cited publications."""

    parts: Sequence[Part]
    open: Sequence[str]
    publications: Sequence[Publication]

    @property
    def sentences(self) -> list[Sentence]:
        return [sentence for part in self.parts for sentence in part.sentences]

    def files(self) -> dict[str, tuple[bytes, str]]:
        """Return a mapping from paths to the files and their descriptions."""
        texts = {
            "methods.tex": (self.latex(), "methods section in LaTeX"),
            "numbers.tex": (self.numbers(), "LaTeX macros with the numbers in methods.tex"),
            "methods.bib": (self.bib(), "publications that the methods section cites"),
            "methods.md": (self.markdown(), "methods section in Markdown"),
            "methods.html": (self.page(), "methods section as a page"),
        }
        return {f"{FOLDER}/{name}": (text.encode(), note) for name, (text, note) in texts.items()}

    def latex(self) -> str:
        parts = [
            "% In the preamble: \\usepackage{natbib} and \\input{numbers}. The bibliography is in methods.bib.",
            *(
                f"\\paragraph{{{escape_latex(each.heading)}.}}\n{sentences.latex(each.sentences)}"
                for each in self.parts
            ),
        ]
        if self.open:
            items = "".join(f"\\item {escape_latex(_open(text))}\n" for text in self.open)
            parts.append(f"% {OPEN}:\n\\begin{{itemize}}\n{items}\\end{{itemize}}")
        return "\n\n".join(parts) + "\n"

    def numbers(self) -> str:
        return f"{NUMBERS_HEADER}{sentences.macros(self.sentences)}"

    def bib(self) -> str:
        return bibtex(self.publications)

    def markdown(self) -> str:
        parts = ["# Methods"]
        parts += [f"## {each.heading}\n\n{sentences.markdown(each.sentences)}" for each in self.parts]
        if self.open:
            parts.append(f"## {OPEN}\n\n" + "\n".join(f"- {escape_markdown(_open(text))}" for text in self.open))
        if self.publications:
            listed = "\n".join(f"- {escape_markdown(reference(each))}" for each in self.publications)
            parts.append(f"## References\n\n{listed}")
        return "\n\n".join(parts) + "\n"

    def html(self, level: int = 2) -> str:
        """Return the section without a page around it. `level` is the level of its headings."""

        def heading(text: str) -> str:
            return f"<h{level}>{escape(text)}</h{level}>"

        parts = [f"{heading(each.heading)}\n<p>{sentences.html(each.sentences)}</p>" for each in self.parts]
        if self.open:
            items = "".join(f"<li>{escape(_open(text))}</li>\n" for text in self.open)
            parts.append(f"{heading(OPEN)}\n<ul>\n{items}</ul>")
        if self.publications:
            items = "".join(
                f'<li id="ref-{escape(each.key)}">{escape(reference(each))}</li>\n' for each in self.publications
            )
            parts.append(f"{heading('References')}\n<ul>\n{items}</ul>")
        return "\n".join(parts) + "\n"

    def page(self) -> str:
        return (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="color-scheme" content="light dark">\n<title>Methods</title>\n'
            "<style>body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.6 serif }</style>\n"
            f"</head>\n<body>\n<main>\n<h1>Methods</h1>\n{self.html()}</main>\n</body>\n</html>\n"
        )


def _open(text: str) -> str:
    return f"[state {text}]"
