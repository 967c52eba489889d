"""Tests that the Hugging Face Space and the development container fit the image."""

import json
import re
from pathlib import Path

import yaml

from tests.dockerfile import stages, variables
from tests.project.test_docs_settings import IN_EFFECT

ROOT = Path(__file__).resolve().parents[2]
SPACE = (ROOT / "deploy" / "space" / "README.md").read_text(encoding="utf-8")
CONTAINER = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
STAGES = {stage.name: stage for stage in stages((ROOT / "Dockerfile").read_text(encoding="utf-8"))}


def test_the_front_matter_makes_a_docker_space_on_the_port_of_the_image() -> None:
    _, front, _ = SPACE.split("---\n", 2)
    settings = yaml.safe_load(front)
    assert settings["sdk"] == "docker"
    assert [str(settings["app_port"])] == STAGES[""].values("EXPOSE")
    assert settings["license"] == "apache-2.0"


def test_the_data_is_in_the_persistent_folder() -> None:
    assert "mounts at `/data`" in SPACE.replace("\n   ", " ")
    environment = {name: value for line in STAGES[""].values("ENV") for name, value in variables(line).items()}
    assert environment["ACCORD_DATA"].startswith("/data/")


def test_every_variable_of_the_space_is_a_setting_and_keys_are_secrets() -> None:
    kinds = dict(re.findall(r"^\| `([A-Z_]+)` \| (\w+) \|", SPACE, re.MULTILINE))
    assert set(kinds) <= IN_EFFECT
    assert {name for name, kind in kinds.items() if kind == "secret"} == {"SECRET_KEY", "ACCORD_ENCRYPTION_KEYS"}
    assert {"ACCORD_SITE_URL", "ACCORD_HOSTS", "ACCORD_PROXIES"} <= set(kinds)


def test_the_development_container_is_a_stage_of_the_image_that_can_run_the_setup() -> None:
    build = CONTAINER["build"]
    folder = ROOT / ".devcontainer"
    assert (folder / build["dockerfile"]).resolve() == ROOT / "Dockerfile"
    assert (folder / build["context"]).resolve() == ROOT
    assert "python3-venv" in " ".join(STAGES[build["target"]].values("RUN"))
    program, *_ = CONTAINER["postCreateCommand"].split()
    assert (ROOT / program).is_file()
