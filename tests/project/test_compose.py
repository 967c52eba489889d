"""Tests that docker-compose.yml is valid and complete, and that the repository does not contain its secrets."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
import yaml

from annotate.commands.services import NAMES
from tests.dockerfile import stages

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load(TEXT)
IMAGE = stages((ROOT / "Dockerfile").read_text(encoding="utf-8"))
SCHEMA = json.loads((ROOT / "tests" / "fixtures" / "compose-schema.json").read_text(encoding="utf-8"))
BY_DEFAULT = {"web", "db", "redis"}
PROFILES = {"proxy": {"proxy"}, "backup": {"backup"}, "workers": {"worker", "worker-long", "beat"}}
SERVICES = BY_DEFAULT.union(*PROFILES.values())


def test_the_file_follows_the_compose_schema() -> None:
    jsonschema.Draft7Validator(SCHEMA).validate(COMPOSE)


@pytest.mark.parametrize("wrong", [{"comand": "x"}, {"depends_on": {"db": {"condition": "ready"}}}, {"ports": 8000}])
def test_the_schema_refuses_a_wrong_service(wrong: dict[str, object]) -> None:
    document = {**COMPOSE, "services": {**COMPOSE["services"], "web": {**COMPOSE["services"]["web"], **wrong}}}
    assert not jsonschema.Draft7Validator(SCHEMA).is_valid(document)


def test_three_services_start_by_default_and_profiles_add_the_others() -> None:
    profiles = {name: set(service.get("profiles", ())) for name, service in COMPOSE["services"].items()}
    assert profiles == {
        name: {profile for profile, services in PROFILES.items() if name in services} for name in SERVICES
    }


def test_services_wait_for_the_database_or_for_the_web_which_migrates_it() -> None:
    services = COMPOSE["services"]
    healthy = {"condition": "service_healthy"}
    assert services["web"]["depends_on"] == {"db": healthy, "redis": healthy}
    for name in SERVICES - BY_DEFAULT:
        assert services[name]["depends_on"] == {"web": healthy}
    for name in SERVICES:
        assert services[name]["healthcheck"]["test"]


def test_processes_in_containers_of_their_own_are_together_those_of_the_web_by_default() -> None:
    chosen = {COMPOSE["services"][name]["command"][-1] for name in PROFILES["workers"]}
    assert chosen | {"web"} == set(NAMES)
    assert COMPOSE["services"]["web"]["command"][-1] == "${ACCORD_PROCESSES:-all}"


def test_every_volume_used_is_declared() -> None:
    used = {volume.split(":")[0] for service in COMPOSE["services"].values() for volume in service.get("volumes", [])}
    files = {volume for volume in used if volume.startswith("./")}
    assert used - files == set(COMPOSE["volumes"])
    assert files == {"./certificates", "./deploy/nginx/nginx.conf"}
    assert (ROOT / "deploy" / "nginx" / "nginx.conf").is_file()


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_every_service_runs_with_few_rights_and_limited_resources(name: str) -> None:
    service = COMPOSE["services"][name]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["read_only"] is True
    assert service["pids_limit"]
    assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory"}
    assert "privileged" not in service
    assert "cap_add" not in service


def test_images_are_pinned_to_a_patch_version() -> None:
    images = {service["image"] for service in COMPOSE["services"].values() if "build" not in service}
    named = {stage.name for stage in IMAGE}
    for image in images | {stage.start for stage in IMAGE} - named:
        assert re.search(r":\d+\.\d+", image), image


def test_no_service_runs_as_root() -> None:
    for name, service in COMPOSE["services"].items():
        if "build" not in service:
            # The image of nginx names its own unprivileged user.
            assert (
                service.get("user", "").split(":")[0] not in ("", "0", "root") or "unprivileged" in service["image"]
            ), name
    assert IMAGE[-1].values("USER") == ["10001"]  # a number, as Kubernetes requires


def test_only_the_proxy_can_be_reached_from_other_machines() -> None:
    ports = {name: service["ports"] for name, service in COMPOSE["services"].items() if "ports" in service}
    assert set(ports) == {"proxy", "web"}
    assert all(port.startswith("127.0.0.1:") for port in ports["web"])


def test_the_health_check_of_the_web_is_the_one_of_the_image() -> None:
    assert COMPOSE["services"]["web"]["healthcheck"]["test"] == ["CMD", *IMAGE[-1].command("HEALTHCHECK")]


def test_every_variable_without_a_default_is_in_the_example_and_no_secret_has_a_value() -> None:
    example = dict(
        line.split("=", 1)
        for line in (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    )
    assert set(re.findall(r"\$\{(\w+):\?", TEXT)) | {"SECRET_KEY"} <= set(example)
    assert example["SECRET_KEY"] == example["POSTGRES_PASSWORD"] == ""
