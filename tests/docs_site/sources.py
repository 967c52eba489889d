"""The source files of the documentation site: the guides as they are, the navigation, and the API reference.

The folder repeats the layout of the repository, so links between the files remain valid. The order and the groups of
the guides are those of /help/.
"""

import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import django

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
# Files outside `docs/` that the site shows. Guides link to some of them.
REPOSITORY = ("ARCHITECTURE", "CONTRIBUTING", "CHANGELOG", "SUPPORT", "SECURITY", "CODE_OF_CONDUCT")
PAGES = (*(f"{name}.md" for name in REPOSITORY), "README.md", "examples/privacy.md")
LINKED = ("CITATION.cff", "LICENSE", "project.toml", "releases/contents/study.schema.json")
TO_README = re.compile(r"\]\(((?:\.\./)*)README\.md")
IN_README = re.compile(r'<picture>\s*<source [^>]*>\s*<img alt="([^"]*)"\s+src="([^"]*)">\s*</picture>')
NOTICE = "Template of a privacy notice"  # the file has no title, because it is copied into the settings of a study
CONFIGURATION = ("conf.py", "static")


def main(folder: Path) -> None:
    """Write the source files into an existing empty folder."""
    django.setup()
    from drf_spectacular.generators import SchemaGenerator

    from annotate.help.guides import FIRST_STEPS, FOR_RESEARCHERS, slugs
    from tests.docs_site import api_pages, python_pages

    shutil.copytree(ROOT / "docs", folder / "docs")
    pictures = folder / "published" / "_images"  # Sphinx copies only the pictures that a page names
    pictures.mkdir(parents=True)
    for still in (ROOT / "docs" / "img").glob("*-still.webp"):
        shutil.copy(still, pictures)
    for name in (*PAGES, *LINKED):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / name)
    readme = folder / "README.md"  # the site, unlike code hosts, makes <picture> of each moving picture itself
    readme.write_text(IN_README.sub(r"![\1](\2)", readme.read_text(encoding="utf-8")), encoding="utf-8")
    for page in folder.rglob("*.md"):  # the README is the front page
        page.write_text(TO_README.sub(r"](\1index.md", page.read_text(encoding="utf-8")), encoding="utf-8")
    notice = folder / "examples" / "privacy.md"
    notice.write_text(f"# {NOTICE}\n\n{notice.read_text(encoding='utf-8')}", encoding="utf-8")
    for name in CONFIGURATION:
        copy = shutil.copytree if (HERE / name).is_dir() else shutil.copyfile
        copy(HERE / name, folder / name)
    schema = SchemaGenerator().get_schema(request=None, public=True)
    shutil.copyfile(ROOT / "static" / "favicon.svg", folder / "favicon.svg")
    (folder / "api").mkdir()
    (folder / "published" / "schemas").mkdir()
    (folder / "published" / "openapi.json").write_text(json.dumps(schema, indent=1) + "\n", encoding="utf-8")
    api, python = api_pages.pages(schema), python_pages.pages()
    for name, text in (api | python).items():
        (folder / "api" / f"{name}.md").write_text(text, encoding="utf-8")
    (folder / "api" / "schemas.md").write_text(_schemas(folder / "published" / "schemas"), encoding="utf-8")
    others = [slug for slug in slugs() if slug not in (*FIRST_STEPS, *FOR_RESEARCHERS)]
    groups = {
        "Start here": [f"docs/{slug}" for slug in FIRST_STEPS],
        "For researchers": [*(f"docs/{slug}" for slug in FOR_RESEARCHERS), "examples/privacy"],
        "API reference": [*(f"api/{name}" for name in api), "api/schemas"],
        "Python reference": [f"api/{name}" for name in python],
        "For developers and operators": [*(f"docs/{slug}" for slug in others), *REPOSITORY],
    }
    (folder / "README.md").rename(folder / "index.md")
    with (folder / "index.md").open("a", encoding="utf-8") as front_page:
        front_page.writelines(_navigation(groups))


def _schemas(folder: Path) -> str:
    """Write the JSON Schemas into the folder, and return a page that lists them."""
    from annotate.results.selectors.schemas import schema_names, schema_of

    rows = ["| schema | describes |", "|---|---|"]
    for name in schema_names():
        described = schema_of(name) or {}
        file = folder / f"{name}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(described, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        rows.append(f"| [{name}](site:schemas/{name}.json) | {described['description']} |")
    return "# JSON Schemas\n\n" + "\n".join(rows) + "\n"


def _navigation(groups: dict[str, list[str]]) -> Iterator[str]:
    """Yield the directives that put these pages into the navigation, one group after the other."""
    for caption, names in groups.items():
        lines = "\n".join(names)
        yield f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{lines}\n```\n"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
