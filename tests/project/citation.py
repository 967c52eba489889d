"""Write CITATION.cff and codemeta.json anew, from pyproject.toml and project.toml."""

import json
import tomllib
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
CITATION, CODEMETA = ROOT / "CITATION.cff", ROOT / "codemeta.json"
TITLE = "Accord"


def settings() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the `project` table of pyproject.toml, and project.toml."""
    files = (ROOT / "pyproject.toml", ROOT / "project.toml")
    package, project = (tomllib.loads(file.read_text(encoding="utf-8")) for file in files)
    return package["project"], project


def citation(package: dict[str, Any], project: dict[str, Any]) -> str:
    """Return CITATION.cff. It contains only what is known: no placeholder, and no date before the release."""
    fields = {
        "cff-version": "1.2.0",
        "message": "If you use Accord in your research, please cite it with these data.",
        "type": "software",
        "title": TITLE,
        "abstract": package["description"] + ".",
        "authors": [{"name": author["name"]} for author in package["authors"]],
        "version": package["version"],
        "date-released": project["released"],
        "doi": project["doi"],
        "license": package["license"],
        "repository-code": _known(project, "repository"),
        "url": _known(project, "documentation"),
        "keywords": package["keywords"],
    }
    text: str = yaml.safe_dump(_filled(fields), sort_keys=False, allow_unicode=True, width=120)
    return text


def codemeta(package: dict[str, Any], project: dict[str, Any]) -> str:
    """Return codemeta.json in version 3.0 of CodeMeta."""
    fields = {
        "@context": "https://w3id.org/codemeta/3.0",
        "@type": "SoftwareSourceCode",
        "name": TITLE,
        "identifier": project["doi"] or package["name"],
        "description": package["description"] + ".",
        "author": [{"@type": "Organization", "name": author["name"]} for author in package["authors"]],
        "version": package["version"],
        "datePublished": project["released"],
        "license": f"https://spdx.org/licenses/{package['license']}",
        "codeRepository": _known(project, "repository"),
        "issueTracker": _known(project, "issues"),
        "softwareHelp": _known(project, "documentation"),
        "programmingLanguage": ["Python", "JavaScript"],
        "runtimePlatform": f"Python {package['requires-python']}",
        "keywords": package["keywords"],
        "developmentStatus": "active",
    }
    return json.dumps(_filled(fields), indent=2, ensure_ascii=False) + "\n"


def _known(project: dict[str, Any], name: str) -> str:
    """Return an address, or an empty text if it is a placeholder."""
    address: str = project["addresses"][name]
    return "" if ".invalid" in address else address


def _filled(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value}


if __name__ == "__main__":
    CITATION.write_text(citation(*settings()), encoding="utf-8")
    CODEMETA.write_text(codemeta(*settings()), encoding="utf-8")
