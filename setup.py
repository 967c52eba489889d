"""What cannot be configured in `pyproject.toml`: a build step that copies all applications' shared folders into the
wheel, and the addresses of the project, which are in `project.toml`.

In a checkout, these folders are next to the packages. In a wheel, the folders are in `annotate/shared`.
"""

import shutil
import tomllib
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
FOLDERS = ("templates", "static", "locale", "examples", "docs")


class BuildWithSharedFolders(build_py):
    """Build the packages and copy the shared folders into the package `annotate`."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return  # an editable installation reads the folders of the checkout
        for folder in FOLDERS:
            if (HERE / folder).is_dir():
                shutil.copytree(HERE / folder, Path(self.build_lib, "annotate", "shared", folder), dirs_exist_ok=True)


def project_urls() -> dict[str, str]:
    """Return the addresses in `project.toml` that are not placeholders."""
    addresses = tomllib.loads((HERE / "project.toml").read_text(encoding="utf-8"))["addresses"]
    urls = {"Repository": "repository", "Documentation": "documentation", "Issues": "issues"}
    return {label: addresses[name] for label, name in urls.items() if ".invalid" not in addresses[name]}


setup(cmdclass={"build_py": BuildWithSharedFolders}, project_urls=project_urls())
