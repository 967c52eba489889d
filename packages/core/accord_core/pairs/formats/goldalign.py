"""The GoldAlign format (Gokcen et al., 2016), which has ten tab-separated columns. The MultiMWA dataset is also
published in the GoldAlign format.

    id  source  source-link  target  target-link  paraphrase  judged-paraphrase  sure  possible  comments

Links have the form `i-j`, with token numbers that start at 0. Files have no header and no quoted cells. `N/A` and blank
cells count as empty. A cell that a spreadsheet would run as a formula begins with an apostrophe.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from accord_core.exchange.faults import Fault, raise_faults
from accord_core.numerics.printed import with_noun
from accord_core.pairs.formats.corpus import Corpus, Ids, Links, SentencePair, Tokens, sizes
from accord_core.pairs.formats.tabs import iter_cells, tab_line
from accord_core.pairs.formats.tokens import split_tokens, token_fault

NAME = "goldalign"
ID, SOURCE, TARGET, SURE, POSSIBLE, COMMENTS = 0, 1, 3, 7, 8, 9
LINKS_TO_CONTEXT = (2, 4)
WIDTH = 10


def read_goldalign(data: bytes, *, name: str) -> Corpus:
    """Return the pairs in a file. Error messages identify columns by number. Raises TableError."""
    faults: list[Fault] = []
    pairs = []
    kept_back = 0
    ids = Ids(faults)
    for line, cells in iter_cells(data, name=name):
        if len(cells) <= SURE:
            message = (
                f"the line has {with_noun(len(cells), 'cell')}. GoldAlign has ten columns, "
                f"with the sure links in column {SURE + 1}"
            )
            faults.append(Fault(line, None, message))
            continue
        cells += [""] * (WIDTH - len(cells))
        key = cells[ID].strip() or None
        if key is not None:
            ids.add(key, line, str(ID + 1))
        source, target = (_sentence(cells[place], line, place, faults) for place in (SOURCE, TARGET))
        links = Links(faults, sizes=sizes(source, target))
        for place in (SURE, POSSIBLE):
            links.add_notation(_said(cells[place]), line=line, column=str(place + 1), possible=place == POSSIBLE)
        kept_back += any(_said(cells[place]) for place in (*LINKS_TO_CONTEXT, COMMENTS))
        pairs.append(SentencePair(key, source, target, links.alignment(), line))
    raise_faults(name, faults)
    notes = [f"links to context or comments of {with_noun(kept_back, 'pair')} excluded"] if kept_back else []
    return Corpus(name, NAME, "own" if all(pair.id for pair in pairs) else "none", pairs, notes)


def write_goldalign(pairs: Iterable[SentencePair]) -> Iterator[str]:
    """Yield one line per pair. Every pair must include its sentences. A pair without an ID is numbered by its position,
    starting at 1.
    """
    for number, pair in enumerate(pairs, start=1):
        if pair.source is None or pair.target is None:
            raise ValueError(f"pair {number} has no sentences, which the GoldAlign format requires")
        cells = [""] * WIDTH
        cells[ID] = pair.id or str(number)
        cells[SOURCE], cells[TARGET] = " ".join(pair.source), " ".join(pair.target)
        cells[SURE], cells[POSSIBLE] = (
            " ".join(f"{i}-{j}" for i, j in sorted(links)) for links in (pair.alignment.sure, pair.alignment.possible)
        )
        yield tab_line(cells)


def _said(cell: str) -> str:
    """Return a cell's content, or None if the cell is empty."""
    return "" if cell.strip() == "N/A" else cell.strip()


def _sentence(cell: str, line: int, place: int, faults: list[Fault]) -> Tokens:
    tokens = tuple(split_tokens(cell))
    if fault := token_fault(tokens):
        faults.append(Fault(line, str(place + 1), fault))
    return tokens
