"""Tests that the manifests in docs/kubernetes.md agree with Accord: its processes, settings, addresses and image."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.urls import resolve

from annotate.commands.services import NAMES
from tests.dockerfile import stages
from tests.project.test_compose import COMPOSE
from tests.project.test_docs_settings import IN_EFFECT

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "kubernetes.md").read_text(encoding="utf-8")
MANIFESTS: list[dict[str, Any]] = [
    document
    for block in re.findall(r"^```yaml\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    for document in yaml.safe_load_all(block)
]
DEPLOYMENTS = [manifest for manifest in MANIFESTS if manifest["kind"] == "Deployment"]
BY_NAME = {manifest["metadata"]["name"]: manifest for manifest in DEPLOYMENTS}


def pod(deployment: dict[str, Any]) -> dict[str, Any]:
    return dict(deployment["spec"]["template"]["spec"])


def test_the_manifests_are_a_secret_a_service_and_two_deployments() -> None:
    assert [manifest["kind"] for manifest in MANIFESTS] == ["Secret", "Service", "Deployment", "Deployment"]
    assert set(re.findall(r"^\| `([\w-]+)` \|", TEXT, re.MULTILINE)) == set(NAMES)


def test_every_variable_is_a_setting() -> None:
    [secret] = [manifest for manifest in MANIFESTS if manifest["kind"] == "Secret"]
    assert set(secret["stringData"]) <= IN_EFFECT
    assert secret["stringData"]["SECRET_KEY"] == ""
    assert {"DATABASE_URL", "REDIS_URL"} < set(secret["stringData"])


@pytest.mark.parametrize("name", BY_NAME)
def test_a_deployment_runs_one_process_with_few_rights(name: str) -> None:
    deployment = BY_NAME[name]
    [container] = pod(deployment)["containers"]
    process = name.removeprefix("accord-")
    assert container["command"][:2] == ["accord", "serve"]
    assert container["command"][-1] == f"--processes={process}"
    assert container["name"] == process
    image = stages((ROOT / "Dockerfile").read_text(encoding="utf-8"))[-1]
    assert [str(pod(deployment)["securityContext"]["runAsUser"])] == image.values("USER")
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    assert mounts == {"tmp": "/tmp", "data": "/data"}  # noqa: S108 (a folder of the container)
    assert {volume["name"] for volume in pod(deployment)["volumes"]} == set(mounts)
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    assert deployment["spec"]["selector"]["matchLabels"] == labels == {"app": "accord", "process": process}
    assert container["resources"]["limits"]["memory"]


def test_the_probes_of_the_web_are_pages_and_the_service_leads_to_it() -> None:
    [container] = pod(BY_NAME["accord-web"])["containers"]
    names = {
        probe: resolve(container[probe]["httpGet"]["path"]).url_name
        for probe in ("startupProbe", "readinessProbe", "livenessProbe")
    }
    assert names == {"startupProbe": "readyz", "readinessProbe": "readyz", "livenessProbe": "healthz"}
    [service] = [manifest for manifest in MANIFESTS if manifest["kind"] == "Service"]
    assert service["spec"]["selector"] == BY_NAME["accord-web"]["spec"]["template"]["metadata"]["labels"]
    assert service["spec"]["ports"][0]["targetPort"] == container["ports"][0]["containerPort"] == 8000


def test_the_worker_has_the_probe_and_the_time_to_stop_of_compose() -> None:
    [container] = pod(BY_NAME["accord-worker"])["containers"]
    _, check = COMPOSE["services"]["worker"]["healthcheck"]["test"]
    assert container["livenessProbe"]["exec"]["command"] == ["sh", "-c", check.replace("$$", "$")]
    assert pod(BY_NAME["accord-worker"])["terminationGracePeriodSeconds"] == 300
