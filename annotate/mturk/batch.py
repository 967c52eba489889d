"""The files for a Mechanical Turk batch: an input file with one row per HIT and a template for the HITs' pages.

Each row contains the HIT's gold questions, which are the same as on Accord's own pages. The expected answers are
obscured, but not secret: anyone who analyses the page can read them. See docs/mturk.md.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, TypeVar

from django.conf import settings
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import override

from accord_core.exchange.mturk import QUESTION_LIMIT, QuestionError, fill, html_question, wrapped, write_batch
from accord_core.exchange.packed import unpacking_script
from accord_core.exchange.used_styles import used_styles
from accord_core.numerics.draws import generator
from annotate import tasktypes
from annotate.mturk.seals import seal
from annotate.server.languages import FALLBACK, available
from annotate.server.refusals import Refused
from annotate.tasktypes import QuestionDraft, Stored, StudyData
from annotate.web.markdown import safe_html
from annotate.web.page_strings import page_strings

COLUMNS = ("study", "hit", "questions")
READ_AT_ONCE = 65_536  # bytes
HITS = 200  # number of HITs whose questions and items are in memory at the same time
SHOWN = ("consent", "instructions", "examples", "eligibility")  # texts on the page
Row = TypeVar("Row")
_SOURCE_MAP = re.compile(r"^(?://# |/\*# )sourceMappingURL=.*$", re.MULTILINE)
_INDENTATION = re.compile(r"(<pre\b.*?</pre>)|\n\s+", re.DOTALL)  # outside preformatted texts


def input_csv(data: StudyData) -> Iterable[bytes]:
    """Return the input file for the batch. Raise `Refused` if a row does not fit into the template.

    The largest row is known only after the last row has been written, so the file is stored until then.
    """
    largest: dict[str, str] = {}

    def watched() -> Iterator[dict[str, str]]:
        nonlocal largest
        for row in batch_rows(data):
            largest = max(largest, row, key=_size)
            yield row

    with ExitStack() as stack:
        file = stack.enter_context(TemporaryFile())
        file.writelines(chunk.encode() for chunk in write_batch(watched(), COLUMNS, name="mturk-input.csv"))
        checked_size(data, template(data), [largest])
        stack.pop_all()  # `_contents` closes the file
    return _contents(file)


def _contents(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        file.seek(0)
        yield from iter(lambda: file.read(READ_AT_ONCE), b"")


def template_html(data: StudyData) -> Iterable[bytes]:
    """Return the template for the batch. Raise `Refused` (`too-large`) if the template filled with the largest row is
    too large.
    """
    page = template(data)
    checked_size(data, page, batch_rows(data))
    return [page.encode()]


def batch_rows(data: StudyData) -> Iterator[dict[str, str]]:
    """Yield one row for each HIT, in HIT order. The column `questions` contains a seal.

    Rows are created during iteration, so that only some HITs are in memory. Raises `Refused` (`no-design`).
    """
    gold = {question.ref: question for question in data.gold}
    numbered = iter(data.published_hits)
    first = list(islice(numbered, HITS))
    if not first:
        raise Refused("no-design", "The study has no HITs yet. Build the design first.")
    return _rows(data, chain([first], iter(lambda: list(islice(numbered, HITS)), [])), gold)


def template(data: StudyData) -> str:
    """Return the page that all HITs share, including its styles, texts and scripts. The template contains the
    placeholder `${questions}`.
    """
    facts = data.facts
    slug = facts["task_type"]
    module, page = _bundle(tasktypes.get(slug).module), _bundle("dist/hit.js")
    # The style sheets for the site's other pages are omitted, because the size of a batch page is limited.
    shared = ("dist/plain.css", "dist/question.css", "css/mturk.css")
    sheets = [_bundle(name) for name in (*shared, tasktypes.styles_of(slug))]
    scripts = module + page
    interface = available(facts["language"]) or FALLBACK
    with override(interface):
        texts = {name: _in_html(str(safe_html(facts[name]))) for name in SHOWN}
        named = {name: _in_html(html.escape(facts[name])) for name in ("title", "protocol_number")}
        context = {
            **texts,
            **named,
            "interface": interface,
            "language": facts["language"],
        }
        strings = json.dumps(_page(data, scripts), ensure_ascii=False, separators=(",", ":"))
        without_parts = render_to_string("mturk/hit.html", context)
        used = [used_styles(sheet, without_parts + scripts + strings) for sheet in sheets]
        packed = unpacking_script(
            [
                # The parts compress best in this order. Browsers run module scripts only after all parts are in place.
                ("style", {}, "\n".join(used)),
                ("div", {"hidden": ""}, _icons(scripts)),
                ("script", {"type": "module"}, page),
                ("script", {"type": "text/plain", "id": "module"}, module),
                ("script", {"type": "application/json", "id": "page"}, strings),
            ]
        )
        html_page = render_to_string("mturk/hit.html", {**context, "packed": mark_safe(packed)})  # noqa: S308
    return _INDENTATION.sub(lambda match: match[1] or "\n", html_page)


def checked_size(data: StudyData, page: str, rows: Iterable[dict[str, str]]) -> int:
    """Return the size of the largest question in bytes, including the host's markup.

    Raise `Refused` (`too-large`) if the largest question exceeds the limit.
    """
    largest = max(rows, key=_size)
    try:
        return len(html_question(wrapped(fill(page, largest))).encode())
    except QuestionError as error:
        words = sum(len(str(safe_html(data.facts[name])).encode()) for name in SHOWN)
        rest = len(page.encode()) - words
        message = (
            f"HIT {largest['hit']} exceeds the Mechanical Turk limit of {QUESTION_LIMIT:,} bytes: the questions take "
            f"{len(largest['questions'].encode()):,} bytes, the consent text, instructions and examples take {words:,} "
            f"bytes, and the page itself takes {rest:,} bytes. {error}"
        )
        raise Refused("too-large", message, status=400) from error


def _size(row: Mapping[str, str]) -> int:
    return len(row.get("questions", "").encode())


# ── rows ──────────────────────────────────────────────────────────────────────────────────────────────────────────
def _rows(
    data: StudyData, batches: Iterable[list[tuple[int, Sequence[str]]]], gold: dict[str, QuestionDraft]
) -> Iterator[dict[str, str]]:
    """Yield one row for each HIT in the batches. Only the questions and items for one group of HITs are in memory at a
    time.
    """
    task, study = tasktypes.get(data.facts["task_type"]), data.facts["public_id"]
    for hits in batches:
        refs = {ref for _, in_hit in hits for ref in in_hit}
        questions = {question.ref: question for question in _named(data.questions, refs)} | gold
        keys = {key for ref in refs for key in task.item_keys(questions[ref].payload)}
        items = {item.key: item.content for item in _named(data.items, keys)}
        for number, in_hit in hits:
            contents = _row(data, number, [questions[ref] for ref in in_hit], items)
            yield {"study": study, "hit": str(number), "questions": contents}


def _named(rows: Sequence[Row], names: Collection[str]) -> Iterable[Row]:
    """Return the rows with the given names. Other rows are read from the database."""
    return rows.named(names) if isinstance(rows, Stored) else rows


def _row(data: StudyData, number: int, questions: Sequence[QuestionDraft], items: dict[str, Any]) -> str:
    task = tasktypes.get(data.facts["task_type"])
    seed, options = data.facts["seed"], data.facts["options"]
    shared = task.present_shared(options)
    contents = []
    regular = [question.payload for question in questions if not question.gold]
    for question in questions:
        # The items of a gold question are reordered for each HIT. The items of other questions keep the design's
        # balanced order.
        order = task.shuffle(question.payload, generator(seed, "batch shown", number, question.ref))
        shown = sorted(order) if task.balanced and not question.gold else order
        # The variant of a gold question depends on the neighbouring questions, and is not part of the results.
        arranged = shown
        if question.gold:
            arranged = task.arrange(question.payload, regular, generator(seed, "batch shown", number, question.ref))
        content = task.present(question.payload, arranged, items, options)
        own = {name: part for name, part in content.items() if name not in shared}
        contents.append(_question(task, question, shown, own))
    return seal(contents, seed=seed, number=number)


def _question(task: tasktypes.TaskType, question: QuestionDraft, shown: Any, content: dict[str, Any]) -> dict[str, Any]:
    """Return a question with the same fields for gold questions as for all other questions."""
    gold = why = None
    if question.gold:
        gold = task.reveal(question.payload, shown, question.gold)
        why = tasktypes.with_places(task, question.explanation, question.payload, shown)
    items = list(task.keys_on_screen(question.payload, shown))
    return {"question": question.ref, "items": items, "shown": shown, "content": content, "gold": gold, "why": why}


# ── the page ──────────────────────────────────────────────────────────────────────────────────────────────────────
def _page(data: StudyData, scripts: str) -> dict[str, Any]:
    facts = data.facts
    slug = facts["task_type"]
    return {
        "study": facts["public_id"],
        "texts": hashlib.sha256(json.dumps([facts[name] for name in SHOWN]).encode()).hexdigest()[:16],
        "origins": settings.BATCH_ORIGINS,
        "language": facts["language"],
        "direction": facts["direction"],
        "content": tasktypes.get(slug).present_shared(facts["options"]),
        "strings": page_strings(scripts, "annotator/strings.html", "mturk/strings.html"),
        "taskStrings": page_strings(None, f"{slug}/strings.html"),
    }


def _bundle(name: str) -> str:
    """Return the text of a static file without its source map reference."""
    path = finders.find(name)
    if path is None:
        raise ValueError(f"The static file {name} is missing.")
    return _SOURCE_MAP.sub("", Path(path).read_text(encoding="utf-8"))


def _icons(scripts: str) -> str:
    """Return the icons that the scripts use, as SVG for the page."""
    sprite = _bundle("icons.svg")
    symbols = re.findall(r'<symbol id="([\w-]+)".*?</symbol>', sprite)
    used = ["mark", *(name for name in symbols if f'"{name}"' in scripts)]
    bodies = "".join(re.findall(rf'<symbol id="(?:{"|".join(used)})".*?</symbol>', sprite))
    return f'<svg xmlns="http://www.w3.org/2000/svg">{bodies}</svg>'


def _in_html(text: str) -> SafeString:
    """Replace two kinds of characters with HTML character references: dollar signs, which can start a placeholder, and
    characters that need four bytes in UTF-8.
    """
    return mark_safe(re.sub("[$\U00010000-\U0010ffff]", lambda match: f"&#{ord(match[0])};", text))  # noqa: S308
