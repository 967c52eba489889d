"""Tests that docker-compose.yml is valid and complete, and that the repository does not contain its secrets."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load(TEXT)
SCHEMA = json.loads((ROOT / "tests" / "fixtures" / "compose-schema.json").read_text(encoding="utf-8"))
SERVICES = {"proxy", "db", "redis", "migrate", "web", "worker", "worker-long", "beat", "backup"}


def test_the_file_follows_the_compose_schema() -> None:
    jsonschema.Draft7Validator(SCHEMA).validate(COMPOSE)


@pytest.mark.parametrize("wrong", [{"comand": "x"}, {"depends_on": {"db": {"condition": "ready"}}}, {"ports": 8000}])
def test_the_schema_refuses_a_wrong_service(wrong: dict[str, object]) -> None:
    document = {**COMPOSE, "services": {**COMPOSE["services"], "web": {**COMPOSE["services"]["web"], **wrong}}}
    assert not jsonschema.Draft7Validator(SCHEMA).is_valid(document)


def test_all_services_are_there_and_wait_for_what_they_need() -> None:
    services = COMPOSE["services"]
    assert set(services) == SERVICES
    for name in ("web", "worker", "worker-long", "beat", "backup"):
        assert services[name]["depends_on"] == {
            "migrate": {"condition": "service_completed_successfully"},
            "db": {"condition": "service_healthy"},
            "redis": {"condition": "service_healthy"},
        }
    for name in SERVICES - {"migrate"}:
        assert services[name]["healthcheck"]["test"]


def test_only_the_web_keeps_connections_open() -> None:
    pools = {
        name
        for name, service in COMPOSE["services"].items()
        if "ACCORD_DB_PERSISTENT" in service.get("environment", {})
    }
    assert pools == {"web"}


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
    bases = re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    for image in (*images, *bases):
        assert re.search(r":\d+\.\d+", image), image


def test_no_service_runs_as_root() -> None:
    for name, service in COMPOSE["services"].items():
        if "build" not in service:
            # The image of nginx names its own unprivileged user.
            assert (
                service.get("user", "").split(":")[0] not in ("", "0", "root") or "unprivileged" in service["image"]
            ), name
    assert re.findall(r"^USER (\w+)", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE) == ["accord"]


def test_only_the_proxy_can_be_reached_from_other_machines() -> None:
    assert [name for name, service in COMPOSE["services"].items() if "ports" in service] == ["proxy"]


def test_every_variable_without_a_default_is_in_the_example_and_no_secret_has_a_value() -> None:
    example = dict(
        line.split("=", 1)
        for line in (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    )
    assert set(re.findall(r"\$\{(\w+):\?", TEXT)) | {"SECRET_KEY"} <= set(example)
    assert example["SECRET_KEY"] == example["POSTGRES_PASSWORD"] == ""
