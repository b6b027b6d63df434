"""`webquarry doctor` and `webquarry doctor sources`."""

import json
import socket
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

from support.postgres import Postgres
from support.redis import redis_server
from webquarry.app import assemble
from webquarry.cli import main
from webquarry.core.settings import Settings
from webquarry.doctor import installation, sources
from webquarry.doctor.installation import Check
from webquarry.engine import list_secrets
from webquarry.storage import find_revision
from webquarry.storage.sqlite import FILE_NAME


async def examine(**given: object) -> dict[str, Check]:
    settings = Settings.model_validate({"port": 0, **given})
    return {check.name: check async for check in installation.examine(settings, list_secrets(settings))}


async def test_a_new_installation_is_ready(tmp_path: Path) -> None:
    checks = await examine(data_dir=tmp_path / "data")
    assert [check.name for check in checks.values() if check.state == "problem"] == []
    assert checks["store"].detail == "SQLite, will be created at the first start"
    assert checks["converters"].state == "ok"
    assert not (tmp_path / "data").exists(), "it changes nothing"


async def test_each_problem_comes_with_advice(tmp_path: Path) -> None:
    with socket.socket() as silent, socket.socket() as taken:
        silent.bind(("127.0.0.1", 0))  # not listening
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        dead = silent.getsockname()[1]
        checks = await examine(
            data_dir=tmp_path,
            redis_url=f"redis://127.0.0.1:{dead}",
            smtp_host="127.0.0.1",
            smtp_port=dead,
            chromium_path=tmp_path / "missing",
            port=taken.getsockname()[1],
            database_url=f"postgresql://nobody@127.0.0.1:{dead}/nothing",
        )
    states = {name: check.state for name, check in checks.items()}
    assert states["Redis"] == states["mail"] == states["store"] == "problem"
    assert states["Chromium"] == states["port"] == "note"
    assert "WEBQUARRY_REDIS_URL" in checks["Redis"].advice


async def test_an_empty_database_stays_empty(postgres: Postgres) -> None:
    settings = Settings(data_dir=Path("unused"), database_url=await postgres.empty_database(), port=0)
    checks = {check.name: check async for check in installation.examine(settings, ())}
    assert checks["store"].detail == "PostgreSQL, will be created at the first start"
    assert await find_revision(settings) is None


async def test_the_clock_is_compared_with_redis(tmp_path: Path) -> None:
    with redis_server() as url:
        checks = await examine(data_dir=tmp_path, redis_url=url)
    assert checks["Redis"].detail.startswith("responds; its clock is ")


def test_the_command_prints_json_and_sets_its_exit_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBQUARRY_PORT", "0")
    done = CliRunner().invoke(main, ["doctor", "--json", "--data-dir", str(tmp_path)])
    assert (done.exit_code, json.loads(done.stdout)["ok"]) == (0, True)
    monkeypatch.setenv("WEBQUARRY_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/nothing")
    done = CliRunner().invoke(main, ["doctor", "--data-dir", str(tmp_path)])
    assert done.exit_code == 1
    assert "problem  store:" in done.output


async def test_each_source_is_requested_alone(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    async with assemble(settings, sandbox=True) as service:
        asked = sources.ask_all(service.registry, service.pipeline.runner, ["search", "domain_registration", "brand"])
        findings = {(finding.endpoint, finding.source): finding async for finding in asked}
    assert findings["domain_registration", "rdap"].state == "answers"
    assert "brand" not in {endpoint for endpoint, _ in findings}, "a dossier has no sources"
    with sqlite3.connect(settings.in_sandbox().data_dir / FILE_NAME) as store:
        assert store.execute("SELECT count(*) FROM conversions").fetchone() == (0,)
    search = [finding for (endpoint, _), finding in findings.items() if endpoint == "search"]
    assert len(search) > 3
    assert any(finding.state == "answers" for finding in search)


def test_an_unknown_endpoint_is_named() -> None:
    done = CliRunner().invoke(main, ["doctor", "sources", "searhc"])
    assert (done.exit_code, "Unknown endpoint searhc" in done.output) == (1, True)
