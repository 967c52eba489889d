"""Tests that every file, command, option, module, setting and metric in the documentation exists."""

from __future__ import annotations

import importlib
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest

from annotate import tasktypes
from annotate.commands.main import main
from annotate.tasktypes import TaskType

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CODE_OF_CONDUCT.md",
    "SECURITY.md",
    "SUPPORT.md",
    *sorted(f"docs/{p.name}" for p in ROOT.glob("docs/*.md")),
]
PICTURE = re.compile(
    r"(best-worst|paraphrase|alignment|chunks)-(annotate|items|design|overview|results)\.png"
    r"|prolific-(settings|return)\.png|links-groups\.png|turkle-hit\.png|layouts-preview\.png"
    r"|moving-(drop|keys|links|decide|plan|report)\.webp"
)
MARKDOWN_PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
HTML_PICTURE = re.compile(r'<img alt="([^"]*)"\s+src="([^"]*)">')
APPLICATIONS = ("annotate", "bws", "paraphrase", "alignment_ui", "evaluation", "layouts", "releases", "reporting")
PACKAGES = (*APPLICATIONS, "accord_core", "bench", "tests")
FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)


NAMED_TEST = re.compile(r"`(tests/[\w/]+\.py)` \| `(test_\w+)`")


def test_documented_tests_exist() -> None:
    named = NAMED_TEST.findall(text_of("tests/README.md"))
    assert len(named) > 40
    missing = [name for path, name in named if f"def {name}(" not in (ROOT / path).read_text("utf-8")]
    assert missing == []


@cache
def text_of(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


@cache
def files() -> tuple[str, ...]:
    """Return the paths of all tracked and new files and of their folders, each with a slash in front."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    present = {path for path in listed if (ROOT / path).exists()}
    folders = {str(folder) for path in present for folder in Path(path).parents if str(folder) != "."}
    return tuple(f"/{path}" for path in sorted(present | folders))


@cache
def sources() -> str:
    """Return the text of the program and of its deployment, in which every setting and metric is defined."""
    parts = [path for package in ("packages", *APPLICATIONS) for path in sorted((ROOT / package).rglob("*.py"))]
    parts += [ROOT / "docker-compose.yml", ROOT / ".env.example"]
    return "\n".join(path.read_text(encoding="utf-8") for path in parts)


@cache
def words_of_sources() -> set[str]:
    return set(re.findall(r"\w+", sources()))


def quoted(document: str) -> list[str]:
    """Return the texts between single backquotes, outside code blocks."""
    return re.findall(r"(?<!`)`([^`]+)`(?!`)", re.sub(r"\s+", " ", FENCE.sub(" ", text_of(document))))


def is_path(name: str) -> bool:
    """Return whether a name between backquotes is the path of a file of this repository."""
    if re.search(r"[\s<>{}$…=]", name) or name.startswith(("/", "http", "-")):
        return False
    first = name.split("/")[0]
    return ("/" in name and (ROOT / first).exists()) or name.endswith(".py")


def exists(path: str) -> bool:
    """Return whether a file or folder has this path, or a path that ends in it. `*` stands for any name."""
    pattern = "/" + re.escape(path.rstrip("/")).replace(r"\*", "[^/]*")
    return any(re.search(pattern + "$", file) for file in files())


def anchors(document: str) -> set[str]:
    """Return the anchors of a document's headings, formed as GitHub does."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", text_of(document)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def commands(document: str) -> list[list[str]]:
    """Return every call of `accord` in quotes and code blocks, split into words, without the name of the program."""
    text = text_of(document)
    calls = [name for name in quoted(document) if name.startswith("accord ") and "…" not in name]
    blocks = FENCE.findall(text) + re.findall(r"^    \S.*$", text, re.MULTILINE)
    for block in blocks:
        for line in re.sub(r"\\\n\s*", "", block).splitlines():
            calls += re.findall(r"(?:^\s*|[|(] ?|&& |/)(accord [a-z][^|)#]*)", line)
    return [call.split()[1:] for call in calls]


def fault_of(words: list[str]) -> str | None:
    """Return the fault in a call of `accord`: a command or an option that does not exist."""
    command: click.Command = main
    for word in words:
        if isinstance(command, click.Group) and re.fullmatch(r"[a-z][a-z-]*", word):
            inner = command.get_command(click.Context(command), word)
            if inner is None:
                return f"there is no command {word!r} in {command.name}"
            command = inner
        elif option := re.match(r"\[?(--[a-z][a-z-]*)", word):
            names = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
            if option[1] not in names | {"--help", "--version"}:
                return f"{command.name} has no option {option[1]}"
    return None


def resolve(name: str) -> bool:
    """Return whether a dotted name is a module, or an attribute of one."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            value: object = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            if not hasattr(value, part):
                return False
            value = getattr(value, part)
        return True
    return False


@pytest.mark.parametrize("document", [*DOCUMENTS, "CHANGELOG.md"])
def test_links_lead_to_files_and_headings(document: str) -> None:
    for target in re.findall(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)", FENCE.sub("", text_of(document))):
        if target.startswith("http"):
            continue
        path, _, anchor = target.partition("#")
        file = (ROOT / document).parent / path if path else ROOT / document
        assert file.exists(), f"{document} links to {target}"
        if anchor:
            assert anchor in anchors(str(file.resolve().relative_to(ROOT))), f"{document} links to {target}"


def _pictures_have_an_alternative_text_and_exist(document: str) -> None:
    text = text_of(document)
    for alternative, target in [*MARKDOWN_PICTURE.findall(text), *HTML_PICTURE.findall(text)]:
        file = (ROOT / document).parent / target
        assert len(alternative.split()) >= 5, f"{target} needs an alternative text"
        assert PICTURE.fullmatch(file.name)
        assert file.resolve().parent == ROOT / "docs" / "img"
        if (ROOT / "docs" / "img").is_dir():
            assert file.exists(), f"{document} shows {target}"


def _paths_exist(document: str) -> None:
    names = [name for name in quoted(document) if is_path(name)]
    names += re.findall(rf"(?<!/)\b(?:{'|'.join(PACKAGES)})/[\w/.-]+\.\w+", text_of(document))
    assert not [name for name in names if not exists(name)]


def _commands_and_options_exist(document: str) -> None:
    faults = [(" ".join(words), fault) for words in commands(document) if (fault := fault_of(words))]
    assert not faults


def _options_without_a_command_exist(document: str) -> None:
    options = {option[0] for name in quoted(document) if (option := re.match(r"--[a-z][a-z-]*", name))}
    assert options - {"--help", "--version"} <= all_options()


@cache
def all_options() -> frozenset[str]:
    """Return the options of all commands, of scripts and of benchmarks, whose docstrings list them in brackets."""
    scripts = [*(ROOT / "script").glob("*"), ROOT / "tests" / "hammer" / "__main__.py"]
    options = set(_options_of(main))
    for pattern, files in (
        (r"(?<![\w-])--[a-z][a-z-]*", scripts),
        (r"(?<=\[)--[a-z-]+", (ROOT / "bench").glob("*.py")),
    ):
        options.update(*(re.findall(pattern, file.read_text(encoding="utf-8")) for file in files if file.is_file()))
    return frozenset(options)


def _options_of(command: click.Command) -> Iterator[str]:
    for parameter in command.params:
        yield from (*parameter.opts, *parameter.secondary_opts)
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            if inner := command.get_command(click.Context(command), name):
                yield from _options_of(inner)


def _scripts_have_the_options(document: str) -> None:
    for script, options in re.findall(r"(script/[a-z]+)((?: --[a-z-]+(?: [^\s`-][^\s`]*)?)+)", text_of(document)):
        source = (ROOT / script).read_text(encoding="utf-8")
        if script == "script/hammer":
            source += (ROOT / "tests" / "hammer" / "__main__.py").read_text(encoding="utf-8")
        for option in re.findall(r"--[a-z-]+", options):
            assert option in source, f"{document}: {script} {option}"


def _modules_and_their_attributes_exist(document: str) -> None:
    names = [name for name in quoted(document) if re.fullmatch(rf"({'|'.join(PACKAGES)})(\.\w+)+", name)]
    names += re.findall(r"python -m (bench\.\w+)", text_of(document))
    names = [name for name in names if not name.endswith((".py", ".md", ".org"))]
    assert not [name for name in names if not resolve(name)]
    attributes = re.findall(r"`TaskType\.(\w+)`", text_of(document))
    assert not [name for name in attributes if not hasattr(TaskType, name) and name not in TaskType.__annotations__]


def _settings_and_metrics_exist(document: str) -> None:
    settings = set(re.findall(r"\bACCORD_[A-Z_]+[A-Z]\b", text_of(document)))
    assert settings <= words_of_sources()
    # The Prometheus client adds `_total` to the name of a counter.
    metrics = {
        name.removesuffix("_total") for name in re.findall(r"`(accord_(?!core`|client`)\w+)`", text_of(document))
    }
    assert not [name for name in metrics if f'"{name}"' not in sources()]


@pytest.mark.parametrize(("document", "task_type"), [("docs/alignment.md", "words"), ("docs/chunks.md", "chunks")])
def test_options_of_a_task_type_exist(document: str, task_type: str) -> None:
    table = re.search(r"^\| option \|.*\n\|[-|]+\n((?:\|.*\n)+)", text_of(document), re.MULTILINE)
    assert table
    names = {name for row in table[1].splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert names
    assert names <= {option.name for option in tasktypes.get(task_type).options}


def _benchmarks_exist(document: str) -> None:
    text = text_of(document)
    names = [
        name
        for heading in re.findall(r"^## .* — (`.*)$", text, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", heading)
    ]
    names = names if document == "docs/figures.md" else []
    names += re.findall(r"script/bench ([a-z_]+)", text)
    assert not [name for name in names if not (ROOT / "bench" / f"{name}.py").exists()]


CHECKS = (
    _pictures_have_an_alternative_text_and_exist,
    _paths_exist,
    _commands_and_options_exist,
    _options_without_a_command_exist,
    _scripts_have_the_options,
    _modules_and_their_attributes_exist,
    _settings_and_metrics_exist,
    _benchmarks_exist,
)


@pytest.mark.nightly
@pytest.mark.parametrize("document", DOCUMENTS)
def test_pictures_and_names_in_the_text_exist(document: str) -> None:
    for check in CHECKS:
        check(document)


class TestTheChecksThemselves:
    """Each check finds names in the documentation, and refuses a name that does not exist."""

    def test_they_find_names(self) -> None:
        assert sum(is_path(name) for document in DOCUMENTS for name in quoted(document)) > 150
        assert sum(len(commands(document)) for document in DOCUMENTS) > 100

    def test_options_of_other_programs(self) -> None:
        assert {"--web-processes", "--turkle", "--fault"} < all_options()
        assert all_options().isdisjoint({"--workers", "--concurrency"})

    def test_a_module_that_does_not_exist(self) -> None:
        assert resolve("annotate.core.services.claim")
        assert not resolve("annotate.services.made_up")


NAMED_PAGE = re.compile(r"\*([A-Z][^*]{1,40})\* page\b|\*([A-Z][^*]{1,40})\* →|→ \*([A-Z][^*]{1,40})\*")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_named_pages_exist(document: str) -> None:
    """Pages, places and tabs are named in italics, such as *Gold* page or *Recruit* → *Groups*."""
    names = {" ".join("".join(found).split()) for found in NAMED_PAGE.findall(text_of(document))}
    assert [name for name in sorted(names) if not re.search(rf'[">]\s*{re.escape(name)}\s*["<{{]', titles())] == []


@cache
def titles() -> str:
    """Return the code and the templates, which contain the titles of pages between quotes or tags."""
    folders = [ROOT / "templates", *(ROOT / package for package in APPLICATIONS)]
    templates = (file.read_text(encoding="utf-8") for folder in folders for file in folder.rglob("*.html"))
    return sources() + re.sub(r"\{%.*?%\}", "<>", "\n".join(templates))
