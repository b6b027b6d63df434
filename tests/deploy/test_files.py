"""Files for operators: they can be parsed, and name existing settings, metrics, ports and errors."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from webquarry.api.addresses import Addresses
from webquarry.api.connections import Connections
from webquarry.app import assemble
from webquarry.cli.serving import show_connections
from webquarry.core import errors
from webquarry.core.settings import PREFIX, Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
FILES = sorted(path for path in (*DEPLOY.rglob("*"), ROOT / "Dockerfile", ROOT / "compose.yaml") if path.is_file())
GUIDES = (ROOT / "docs" / "deploying.md", ROOT / "docs" / "threat-model.md")
SETTINGS = frozenset(Settings.model_fields)
PORT = Settings.model_fields["port"].default
_NAMED = re.compile(rf"\b{PREFIX}([A-Z][A-Z0-9_]*)")
_METRIC = re.compile(r"\bwebquarry_[a-z_]+")
_SUFFIX = re.compile(r"_(?:bucket|sum|count|total)$")


def read_documents(path: Path) -> list[Any]:
    return list(yaml.safe_load_all(path.read_text()))


def find_values(value: Any, name: str) -> Iterator[Any]:
    """Yield the values of a name at any depth of a document."""
    if isinstance(value, dict):
        for key, below in value.items():
            if key == name:
                yield below
            yield from find_values(below, name)
    elif isinstance(value, list):
        for below in value:
            yield from find_values(below, name)


def find_kind(kind: str) -> dict[str, Any]:
    documents = read_documents(DEPLOY / "kubernetes" / "webquarry.yaml")
    (found,) = (document for document in documents if document["kind"] == kind)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("path", [*FILES, *GUIDES], ids=lambda path: path.name)
def test_file_names_settings_that_exist(path: Path) -> None:
    named = {name.lower() for name in _NAMED.findall(path.read_text()) if not name.endswith("_")}
    assert named <= SETTINGS


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.suffix in (".yaml", ".yml")], ids=lambda path: path.name
)
def test_file_is_yaml(path: Path) -> None:
    assert all(read_documents(path))


def test_settings_of_the_image_are_ones_that_serve_takes() -> None:
    lines = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    given = dict(re.findall(rf"({PREFIX}[A-Z_]+)=(\S+)", lines))
    settings = Settings.from_environment(given)
    assert (settings.port, settings.host, settings.data_dir) == (PORT, "0.0.0.0", Path("/data"))  # in a container
    assert f"EXPOSE {PORT}" in lines
    assert "VOLUME /data" in lines


def test_targets_of_the_image_end_as_a_user_without_rights() -> None:
    stages = re.split(r"^FROM ", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE)
    for target in ("slim", "full"):
        (stage,) = (text for text in stages if text.splitlines()[0].endswith(f"AS {target}"))
        instructions = [line for line in stage.splitlines() if line and not line.startswith("#")]
        assert instructions[-1] == "USER 10001:10001"


def test_files_copied_by_the_dockerfile_are_in_its_context() -> None:
    kept = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    for line in re.findall(r"^COPY (?!--)(.+)$", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE):
        for source in line.split()[:-1]:
            assert (ROOT / source).exists()
            assert source in kept


def test_compose_file_agrees_with_the_settings_of_a_server() -> None:
    (compose,) = read_documents(ROOT / "compose.yaml")
    service = compose["services"]["webquarry"]
    filled = {
        name: re.sub(r"\$\{[^}]*\}", "filled-in.example", value) for name, value in service["environment"].items()
    }
    settings = Settings.from_environment(filled)
    (subnet,) = find_values(compose["networks"]["front"], "subnet")
    assert settings.trusted_proxies == (subnet,)
    assert set(compose["services"]["caddy"]["networks"]) == {"front"}
    assert f"dynamic a webquarry {PORT}" in (DEPLOY / "caddy" / "compose.Caddyfile").read_text()
    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])


def test_every_variable_of_the_compose_file_is_in_its_example() -> None:
    wanted = set(re.findall(r"\$\{([A-Z_]+):\?", (ROOT / "compose.yaml").read_text()))
    assert wanted <= set(re.findall(r"^([A-Z_]+)=", (DEPLOY / "compose.env").read_text(), flags=re.MULTILINE))


def test_kubernetes_manifests_agree_with_each_other() -> None:
    settings = Settings.from_environment(find_kind("ConfigMap")["data"])
    pod = find_kind("Deployment")["spec"]["template"]
    (container,) = pod["spec"]["containers"]
    assert container["ports"] == [{"name": "http", "containerPort": PORT}]
    assert find_kind("Service")["spec"]["ports"][0]["targetPort"] == "http"
    labels = pod["metadata"]["labels"]
    assert find_kind("Service")["spec"]["selector"] == labels
    assert find_kind("PodDisruptionBudget")["spec"]["selector"]["matchLabels"] == labels
    (rule,) = find_kind("Ingress")["spec"]["rules"]
    assert settings.base_url == f"https://{rule['host']}"
    assert {mount["name"] for mount in container["volumeMounts"]} == {
        volume["name"] for volume in pod["spec"]["volumes"]
    }
    assert container["securityContext"]["readOnlyRootFilesystem"]


@pytest.mark.parametrize("path", ["nginx/webquarry.conf", "caddy/Caddyfile"])
def test_proxy_leads_to_the_port_of_a_server(path: str) -> None:
    text = (DEPLOY / path).read_text()
    assert f"127.0.0.1:{PORT}" in text


def test_unit_starts_the_command_in_a_separate_folder() -> None:
    unit = (DEPLOY / "systemd" / "webquarry.service").read_text()
    assert "ExecStart=/opt/webquarry/bin/webquarry serve\n" in unit
    assert "StateDirectory=webquarry\n" in unit
    assert "WEBQUARRY_DATA_DIR=/var/lib/webquarry\n" in unit


async def test_dashboard_and_alerts_ask_for_metrics_and_errors_that_exist(tmp_path: Path) -> None:
    async with assemble(Settings(data_dir=tmp_path, workers=1), serving=True) as service:
        show_connections(Connections.within(1000, Addresses(())), service.metrics)
        known = set(re.findall(r"^# TYPE (\w+)", service.metrics.text().decode(), flags=re.MULTILINE))
    known |= {_SUFFIX.sub("", name) for name in known}
    codes = {each.code for each in vars(errors).values() if isinstance(each, type) and hasattr(each, "code")}
    dashboard = json.loads((DEPLOY / "grafana" / "webquarry.json").read_text())
    (alerts,) = read_documents(DEPLOY / "prometheus" / "alerts.yml")
    asked = [*find_values(dashboard, "expr"), *find_values(alerts, "expr")]
    assert len(asked) > 20
    for expression in asked:
        assert {_SUFFIX.sub("", name) for name in _METRIC.findall(expression)} <= known, expression
        assert set(re.findall(r'code="(\w+)"', expression)) <= codes, expression


def test_panels_of_the_dashboard_do_not_overlap() -> None:
    panels = json.loads((DEPLOY / "grafana" / "webquarry.json").read_text())["panels"]
    corners = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels]
    assert len(set(corners)) == len(corners)
    assert len({panel["id"] for panel in panels}) == len(panels)


def test_profile_for_chromium_allows_its_sandbox_and_no_call_that_changes_the_host() -> None:
    profile = json.loads((DEPLOY / "seccomp-chromium.json").read_text())
    allowed = {name for rule in profile["syscalls"] if "args" not in rule for name in rule["names"]}
    assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
    assert {"clone", "unshare", "chroot", "seccomp", "landlock_restrict_self"} <= allowed
    changing = "mount umount2 setns pivot_root bpf kexec_load init_module finit_module reboot swapon ptrace keyctl"
    changing += " add_key request_key io_uring_setup perf_event_open userfaultfd open_by_handle_at clock_settime"
    assert not allowed & set(changing.split())
