"""docker-compose.yml is valid, complete, and keeps its secrets out of the repository."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load(TEXT)
SCHEMA = json.loads((Path(__file__).parent / "fixtures" / "compose-schema.json").read_text(encoding="utf-8"))
SERVICES = {"db", "redis", "migrate", "web", "worker", "beat"}


def test_the_file_follows_the_compose_schema() -> None:
    jsonschema.Draft7Validator(SCHEMA).validate(COMPOSE)


@pytest.mark.parametrize("wrong", [{"comand": "x"}, {"depends_on": {"db": {"condition": "ready"}}}, {"ports": 8000}])
def test_the_schema_refuses_a_wrong_service(wrong: dict[str, object]) -> None:
    document = {**COMPOSE, "services": {**COMPOSE["services"], "web": {**COMPOSE["services"]["web"], **wrong}}}
    assert not jsonschema.Draft7Validator(SCHEMA).is_valid(document)


def test_all_services_are_there_and_wait_for_what_they_need() -> None:
    services = COMPOSE["services"]
    assert set(services) == SERVICES
    for name in ("web", "worker", "beat"):
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
    assert used == set(COMPOSE["volumes"])


def test_every_variable_without_a_default_is_in_the_example_and_no_secret_has_a_value() -> None:
    example = dict(
        line.split("=", 1)
        for line in (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    )
    assert set(re.findall(r"\$\{(\w+):\?", TEXT)) | {"SECRET_KEY"} <= set(example)
    assert example["SECRET_KEY"] == example["POSTGRES_PASSWORD"] == ""
