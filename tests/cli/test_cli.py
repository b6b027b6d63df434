"""The installed command line."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from click.testing import CliRunner, Result

from webquarry.cli import main
from webquarry.cli.exit_codes import BY_CODE, MEANINGS, Exit, combine
from webquarry.core.errors import ANSWERED
from webquarry.core.types import Wire
from webquarry.endpoints import declare
from webquarry.endpoints.declare import DeclarationError
from webquarry.endpoints.registry import Registry, load
from webquarry.sandbox.cases import SHIPPED, cases

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """`webquarry …` with a separate data folder."""
    for name in [name for name in os.environ if name.startswith("WEBQUARRY_")]:
        monkeypatch.delenv(name)
    runner = CliRunner(env={"WEBQUARRY_DATA_DIR": str(tmp_path / "data")})

    def run(*arguments: str, **settings: str) -> Result:
        return runner.invoke(main, arguments, prog_name="webquarry", env=settings)

    yield run
    structlog.reset_defaults()  # a command sets up logging to a stream that it closes at its end


def test_command_is_installed() -> None:
    done = subprocess.run([Path(sys.executable).with_name("webquarry"), "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stdout.split()[0]) == (0, "webquarry,")


@pytest.mark.parametrize(
    ("given", "meant"),
    [("accont list", "account"), ("get serch", "search"), ("read mapz", "maps"), ("key lst", "list")],
)
def test_a_misspelled_command_gets_a_suggestion(run: Run, given: str, meant: str) -> None:
    refused = run(*given.split())
    assert refused.exit_code == 2
    assert f"'{meant}'" in refused.stderr


def test_an_invalid_declaration_is_reported_in_one_sentence(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def load() -> Registry:
        raise DeclarationError("web/made.py: declare either sources or run.")

    monkeypatch.setattr("webquarry.cli.wire_reader.load", load)
    refused = run("read", "search", "--provider", "serper", "--wire", __file__)
    assert (refused.exit_code, refused.output) == (1, "Error: web/made.py: declare either sources or run.\n")


def test_account_is_created_with_its_credits_and_a_key(run: Run) -> None:
    made = json.loads(run("account", "create", "ada@example.com", "--credits", "25", "--json").stdout)
    assert made.keys() == {"account", "email", "key"}
    assert (made["email"], made["key"][:8]) == ("ada@example.com", "wq_live_")
    assert "Balance of ada@example.com: 30 credits." in run("credits", "grant", "ada@example.com", "5").stdout


def test_actions_of_commands_are_recorded_as_done_by_the_command_line(run: Run) -> None:
    run("account", "create", "ada@example.com")
    run("credits", "grant", "ada@example.com", "5", "--note", "for the trial")
    run("account", "create", "eve@example.com")
    run("account", "disable", "ada@example.com")
    events = json.loads(run("audit", "--account", "ada@example.com", "--json").stdout)
    assert [(event["action"], event["done_by"], event["actor"]) for event in events] == [
        (action, "cli", None) for action in ("account.disabled", "credits.granted", "account.created")
    ]
    assert events[1]["details"] == {"credits": 5, "note": "for the trial"}
    assert "eve@example.com  by command line" in run("audit", "--action", "account.created").stdout
    assert run("audit", "--account", "nobody@example.com").exit_code == 1


def test_a_second_factor_is_reset_from_the_command_line(run: Run, tmp_path: Path) -> None:
    made = json.loads(run("account", "create", "ada@example.com", "--json").stdout)
    assert run("account", "reset-second-factor", "ada@example.com").stderr.startswith(
        "Error: This account has neither two-factor authentication nor passkeys."
    )
    with sqlite3.connect(tmp_path / "data" / "webquarry.db") as store:
        values = (made["account"], "A" * 32)
        store.execute("INSERT INTO second_factors VALUES (?, ?, 0, 0, 0, NULL)", values)
    assert "Two-factor authentication is on." in run("account", "show", "ada@example.com").stdout
    done = json.loads(run("account", "reset-second-factor", "ada@example.com", "--json").stdout)
    assert done == {"email": "ada@example.com", "second_factor": False}
    assert json.loads(run("account", "show", "ada@example.com", "--json").stdout)["second_factor"] is False
    assert "second_factor.reset" in run("audit", "--account", "ada@example.com").stdout


def test_account_starts_with_ten_credits(run: Run) -> None:
    assert "with 10 credits" in run("account", "create", "ada@example.com").stdout


def test_accounts_are_listed_and_shown_for_people_and_programs(run: Run) -> None:
    made = json.loads(run("account", "create", "ada@example.com", "--credits", "25", "--json").stdout)
    run("account", "create", "eve@example.com")
    assert [line.split()[-2:] for line in run("account", "list").stdout.splitlines()] == [
        ["25", "ada@example.com"],
        ["10", "eve@example.com"],
    ]
    listed = json.loads(run("account", "list", "--json").stdout)
    assert [(row["email"], row["balance"]) for row in listed] == [("ada@example.com", 25), ("eve@example.com", 10)]
    shown = json.loads(run("account", "show", "ada@example.com", "--json").stdout)
    assert shown["account"] == made["account"]
    assert [key["prefix"] for key in shown["keys"]] == [made["key"][:12]]
    assert "25 credits" in run("account", "show", "ada@example.com").stdout
    unknown = run("account", "show", "nobody@example.com")
    assert unknown.stderr == "Error: No account has the email address nobody@example.com.\n"


def test_the_balance_is_shown(run: Run) -> None:
    run("account", "create", "ada@example.com", "--credits", "25")
    assert run("credits", "balance", "ada@example.com").stdout == "Balance of ada@example.com: 25 credits.\n"
    granted = json.loads(run("credits", "grant", "ada@example.com", "5", "--json").stdout)
    assert granted == {"email": "ada@example.com", "balance": 30}


def test_every_command_on_a_store_can_print_json(run: Run) -> None:
    run("account", "create", "ada@example.com")
    key = json.loads(run("key", "create", "ada@example.com", "--name", "job", "--json").stdout)
    assert (key["name"], key["key"][:12]) == ("job", key["prefix"])
    listed = json.loads(run("key", "list", "ada@example.com", "--json").stdout)
    assert [row["revoked_at"] for row in listed] == [None, None]
    assert json.loads(run("key", "revoke", "ada@example.com", key["id"], "--json").stdout) == {"revoked": key["id"]}
    assert json.loads(run("ledger", "verify", "--json").stdout) == {"ok": True, "differences": []}
    assert json.loads(run("db", "upgrade", "--json").stdout) == {"ok": True}


def test_the_callers_key_in_the_environment_is_not_read_as_a_setting(run: Run) -> None:
    assert run("account", "create", "ada@example.com", WEBQUARRY_KEY="wq_live_" + "0" * 32).exit_code == 0


def test_missing_store_is_reported_and_not_created(run: Run, tmp_path: Path) -> None:
    for options in ([], ["--sandbox"]):
        for command in (["ledger", "verify"], ["account", "list"], ["credits", "balance", "ada@example.com"]):
            done = run(*command, *options, "--data-dir", str(tmp_path / "misspelt"))
            assert (done.exit_code, done.stdout) == (1, "")
            assert done.stderr.startswith(f"Error: There is no database in {tmp_path}/misspelt")
    assert not (tmp_path / "misspelt").exists()


def test_the_sandbox_reports_which_settings_it_ignores(run: Run) -> None:
    run("account", "create", "ada@example.com", "--sandbox")
    done = run("ledger", "verify", "--sandbox", WEBQUARRY_DATABASE_URL="postgresql://ada:secret@127.0.0.1:9/x")
    assert (done.exit_code, done.stdout) == (0, "The ledger is consistent.\n")
    assert done.stderr == "Note: the sandbox has its own database and ignores WEBQUARRY_DATABASE_URL.\n"


def test_the_version_is_printed_without_loading_the_service() -> None:
    code = (
        "import sys; from webquarry.cli import main; "
        "main(['--version'], prog_name='webquarry', standalone_mode=False); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.startswith("webquarry, version ")
    assert not {"webquarry.app", "pydantic", "aiohttp", "sqlalchemy"} & set(done.stdout.split())


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "webquarry", "--version"], capture_output=True, text=True)
    assert done.stdout.startswith("webquarry, version ")


def test_the_subject_can_be_a_positional_argument(run: Run) -> None:
    done = json.loads(run("get", "markdown_url", "https://example.com/", "--sandbox").stdout)
    assert done["data"]["url"] == "https://example.com/"
    example = load().by_name["maps_place"].example
    place = json.loads(run("get", "maps_place", *example.values(), "--footer", "false", "--sandbox").stdout)
    assert place["extractor"] == "maps_place"


@pytest.mark.parametrize(
    "options",
    [
        ["--raw", "--json"],
        ["--raw", "--format", "json"],
        ["--raw", "--fields", "organic_results"],
        ["--raw", "--chunks", "100"],
    ],
)
def test_options_that_exclude_each_other_are_refused(run: Run, options: list[str]) -> None:
    done = run("get", "search", "coffee", *options)
    assert (done.exit_code, "--raw" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("endpoint", "options"), [("search", "--q"), ("maps_place", "--cid or --fid"), ("markdown_url", "--url")]
)
def test_missing_argument_is_named_with_its_options(run: Run, endpoint: str, options: str) -> None:
    done = run("get", endpoint)
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"as the argument or with {options}. (invalid_params)" in done.stderr


def test_first_parameter_can_be_positional_if_none_is_required(run: Run) -> None:
    assert run("get", "trends_trending", "--sandbox").exit_code == 0
    refused = run("get", "trends_trending", "Atlantis", "--sandbox")
    assert (refused.exit_code, "'geo'" in refused.stderr) == (2, True)


def test_an_argument_that_is_also_given_as_an_option_is_refused(run: Run) -> None:
    done = run("get", "markdown_url", "https://example.com/", "--url", "https://example.org/", "--sandbox")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "Error: Parameter 'url' was sent more than once; send it once. (invalid_params)\n"


def test_a_file_is_required_and_can_be_positional(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "scores.csv"
    file.write_text("Name,Score\nAda,12\n")
    assert run("get", "markdown_file", str(file), "--raw").stdout.startswith("| Name | Score |")
    assert run("get", "markdown_file").stderr.startswith("Error: Specify a file, as the argument or with --file.")
    missing = run("get", "markdown_file", str(tmp_path / "none.csv"))
    assert (missing.exit_code, missing.stdout) == (2, "")
    assert missing.stderr == f"Error: Can't read {tmp_path}/none.csv: No such file or directory. (invalid_params)\n"


def test_raw_prints_the_markdown_alone_and_output_writes_it(run: Run, tmp_path: Path) -> None:
    asked = ["get", "domain_registration", "example.com", "--sandbox"]
    markdown = json.loads(run(*asked).stdout)["markdown"]
    assert run(*asked, "--raw").stdout == markdown
    written = tmp_path / "page.md"
    done = run(*asked, "--raw", "-o", str(written))
    assert (done.exit_code, done.stdout, written.read_text()) == (0, "", markdown)
    nowhere = run(*asked, "-o", str(tmp_path / "none" / "page.md"))
    assert (nowhere.exit_code, nowhere.stderr.count("\n")) == (1, 1)


def test_an_error_is_printed_on_standard_error_and_written_nowhere(run: Run, tmp_path: Path) -> None:
    written = tmp_path / "page.md"
    for output in ([], ["-o", str(written)]):
        done = run("get", "markdown_url", "http://127.0.0.1/", "--raw", *output)
        assert (done.exit_code, done.stdout) == (4, "")
        assert done.stderr == (
            "Error: This address can't be fetched. Only public web addresses on allowed ports are supported. "
            "(unsafe_target)\n"
        )
    assert not written.exists()


def test_an_error_is_json_if_json_was_requested(run: Run) -> None:
    done = run("get", "markdown_url", "http://127.0.0.1/", "--json")
    assert (done.exit_code, done.stdout, json.loads(done.stderr)["code"]) == (4, "", "unsafe_target")


def test_taken_email_is_one_sentence_and_exit_1(run: Run) -> None:
    run("account", "create", "ada@example.com")
    again = run("account", "create", "ada@example.com")
    assert (again.exit_code, again.stdout) == (1, "")
    assert again.stderr == "Error: email: an account with the address ada@example.com already exists.\n"


def test_keys_are_listed_without_their_text_and_revoked_by_id(run: Run) -> None:
    run("account", "create", "ada@example.com")
    text = run("key", "create", "ada@example.com", "--name", "second").stdout.strip()
    listed = run("key", "list", "ada@example.com").stdout
    assert text not in listed
    (line,) = [line for line in listed.splitlines() if line.endswith("second")]
    assert run("key", "revoke", "ada@example.com", line.split()[0]).exit_code == 0
    assert "revoked" in run("key", "list", "ada@example.com").stdout


def test_verifying_a_correct_ledger_exits_0(run: Run) -> None:
    run("account", "create", "ada@example.com")
    done = run("ledger", "verify")
    assert (done.exit_code, done.stdout) == (0, "The ledger is consistent.\n")


def test_verifying_a_manipulated_ledger_exits_1(run: Run, tmp_path: Path) -> None:
    run("account", "create", "ada@example.com")
    with sqlite3.connect(tmp_path / "data" / "webquarry.db") as database:
        database.execute("UPDATE accounts SET balance = balance + 1")
    done = run("ledger", "verify")
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (1, "1 differences.")


def test_endpoints_are_listed_as_in_the_registry(run: Run) -> None:
    listed = {row["name"]: row for row in json.loads(run("endpoints", "--json").stdout)}
    assert listed.keys() == load().by_name.keys()
    row = listed["domain_registration"]
    assert row["path"] == "/api/v1/domain/registration"
    assert (row["credits"], row["fresh_s"], row["group"], row["method"]) == (1, 604800, "domain_intel", "GET")
    assert (row["providers"], row["unproven"], row["available"], row["remedy"]) == (["rdap"], [], True, None)
    assert (row["grade"], row["grades"]) == ("open", {"rdap": "open"})
    assert row["params"][0]["name"] == "domain"
    assert row["params"][0]["required"] is True
    assert row["params"][-1]["enum"] == ["json", "markdown", "both"]


def test_endpoints_are_listed_for_people_by_family(run: Run) -> None:
    listed = run("endpoints").stdout.split("\n\n")
    assert listed[1].startswith("Search:\n  search   ")
    assert sum(line.startswith("  ") for family in listed for line in family.splitlines()) == len(list(load()))


@pytest.mark.flaky(reruns=2, reruns_delay=1)  # children respond within a deadline, on a machine that may be busy
@pytest.mark.parametrize("name", ["domain_registration", "markdown_url", "markdown_file", "search", "brand"])
def test_example_of_an_endpoint_is_answered_in_the_sandbox_without_price(run: Run, name: str, tmp_path: Path) -> None:
    """One endpoint of each kind; all are requested over HTTP in tests/api."""
    extractor = load().by_name[name]
    options = [word for key, value in extractor.example.items() for word in (f"--{key}", value)]
    if extractor.upload is not None:
        file = tmp_path / extractor.upload.example.name
        file.write_bytes(extractor.upload.example.body)
        options += ["--file", str(file)]
    done = run("get", name, *options, "--sandbox")
    answer = json.loads(done.stdout)
    assert (done.exit_code, answer["extractor"], answer["creditsCharged"]) == (0, name, 0)
    assert run("ledger", "verify", "--sandbox").exit_code == 0


@pytest.mark.parametrize(
    ("endpoint", "subject", "code", "exit_code"),
    [
        ("domain_registration", "localhost", "invalid_params", 2),
        ("domain_registration", "nothing-here.com", "provider_error", 5),
        ("markdown_url", "http://127.0.0.1/", "unsafe_target", 4),
    ],
)
def test_exit_code_shows_the_kind_of_error(run: Run, endpoint: str, subject: str, code: str, exit_code: int) -> None:
    done = run("get", endpoint, subject, "--sandbox", "--json")
    assert (json.loads(done.stderr)["code"], done.exit_code) == (code, exit_code)


def test_every_error_of_the_service_has_an_exit_code() -> None:
    assert {error.code for error in ANSWERED} <= BY_CODE.keys()
    assert set(BY_CODE.values()) | {Exit.OK} == set(MEANINGS) == set(Exit)


@pytest.mark.parametrize(
    ("codes", "together"),
    [
        ([], Exit.OK),
        ([Exit.OK, Exit.SOURCE, Exit.SOURCE], Exit.SOURCE),
        ([Exit.SOURCE, Exit.BUSY], Exit.FAILED),
    ],
)
def test_several_requests_exit_with_their_common_code(codes: list[Exit], together: Exit) -> None:
    assert combine(codes) is together


def test_read_prints_data_or_markdown_of_a_recorded_wire(run: Run, tmp_path: Path) -> None:
    (case,) = [case for case in cases("domain_registration") if case.folder.name == "example_com"]
    exchange = case.exchanges[-1]
    wire = tmp_path / "wire.json"
    wire.write_bytes(exchange.answered().body)
    asked = ["read", "domain_registration", "--provider", "rdap", "--wire", str(wire), "--domain", "example.com"]
    asked += ["--wire-url", exchange.request.url, "--fetched-at", exchange.answered().fetched_at.isoformat()]
    assert json.loads(run(*asked).stdout) == case.data
    assert run(*asked, "--markdown").stdout.rstrip("\n") == (case.rendering or "").rstrip("\n")


def test_read_of_a_wire_that_changed_is_an_error_of_the_source(run: Run, tmp_path: Path) -> None:
    wire = tmp_path / "wire.json"
    wire.write_text('{"objectClassName": "entity"}')
    done = run("read", "domain_registration", "--provider", "rdap", "--wire", str(wire), "--domain", "example.com")
    assert (done.exit_code, done.stdout, done.stderr.endswith(" (provider_error)\n")) == (5, "", True)


def test_read_of_a_wire_without_a_result_is_an_error_of_the_source(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = tmp_path / "wire.json"
    wire.write_text("{}")

    class Model(declare.Result):
        count: int
        raw: Any = None

    def refused(_wire: Wire, _params: object) -> Model:
        return Model.model_validate({"count": "many"})

    def unwritable(_wire: Wire, _params: object) -> Model:
        return Model(count=1, raw=object())

    asked = ["read", "domain_registration", "--provider", "rdap", "--wire", str(wire), "--domain", "example.com"]
    for read in (refused, unwritable):
        monkeypatch.setattr("webquarry.cli.wire_reader.find_reader", lambda *_, read=read: read)
        done = run(*asked)
        assert (done.exit_code, done.stdout, done.stderr.endswith(" (provider_error)\n")) == (5, "", True)


def test_read_page_from_a_file(run: Run, tmp_path: Path) -> None:
    wire = tmp_path / "page.html"
    wire.write_bytes((SHIPPED / "markdown_url" / "rich" / "page.html").read_bytes())
    asked = ["read", "markdown_url", "--provider", "page", "--wire", str(wire), "--url", "https://example.com/"]
    assert run(*asked, "--content-type", "text/html").exit_code == 0


def test_every_command_has_a_help_text(run: Run) -> None:
    for command in (
        [],
        ["serve"],
        ["account"],
        ["key"],
        ["ledger"],
        ["db"],
        ["get"],
        ["get", "markdown_url"],
        ["read"],
    ):
        done = run(*command, "--help")
        assert done.exit_code == 0
        assert "Usage: webquarry" in done.stdout


def test_unknown_setting_is_one_sentence_and_exit_1(run: Run) -> None:
    done = run("ledger", "verify", WEBQUARRY_NO_SUCH_THING="1")
    assert (done.exit_code, done.stderr) == (1, "Error: WEBQUARRY_NO_SUCH_THING: is not a setting\n")


def test_database_is_upgraded_by_its_command(run: Run) -> None:
    assert run("db", "upgrade").stdout == "The database is up to date.\n"


def test_unknown_tape_is_one_sentence(run: Run) -> None:
    assert run("tape", "accept", "no_such").stderr == "Error: Tape not found: no_such.\n"


@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["get", "markdown_url", "--url", "x"]])
@pytest.mark.parametrize(
    "address", ["nonsense", "http://u:secret@x", "redis://u:secret@x:port", "redis://x?nothing=secret"]
)
def test_unusable_redis_address_is_a_sentence_that_names_the_setting_and_not_the_address(
    run: Run, command: list[str], address: str
) -> None:
    done = run(*command, WEBQUARRY_REDIS_URL=address, WEBQUARRY_PORT="0")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("Error: WEBQUARRY_REDIS_URL: must be ")
    assert done.stderr.count("\n") == 1
    assert "sec" not in done.stderr


@pytest.mark.parametrize(
    "command", [["account", "create", "a@b.example"], ["serve", "--port", "0"], ["get", "markdown_url"]]
)
@pytest.mark.parametrize("sandbox", [[], ["--sandbox"]])
def test_data_folder_that_is_a_file_is_one_sentence(
    run: Run, tmp_path: Path, command: list[str], sandbox: list[str]
) -> None:
    file = tmp_path / "file"
    file.write_text("")
    if command[0] == "get":
        command = [*command, "--url", "https://example.com/"]
    done = run(*command, *sandbox, "--data-dir", str(file))
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith(f"Error: The data folder {file}")
    assert done.stderr.count("\n") == 1


def test_get_reports_invalid_settings_in_one_sentence(run: Run) -> None:
    done = run("get", "markdown_url", "--url", "https://example.com/", WEBQUARRY_NO_SUCH_THING="1")
    assert (done.exit_code, done.stderr) == (1, "Error: WEBQUARRY_NO_SUCH_THING: is not a setting\n")


@pytest.mark.parametrize("credits", ["1000000000001", "9223372036854775807"])
def test_a_grant_above_the_maximum_is_refused(run: Run, credits: str) -> None:
    run("account", "create", "ada@example.com")
    assert run("credits", "grant", "ada@example.com", credits).exit_code == 2
    assert run("account", "create", "eve@example.com", "--credits", credits).exit_code == 2
    above = run("credits", "grant", "ada@example.com", "1000000000000")
    assert (above.exit_code, above.stderr.count("\n")) == (1, 1)
    assert "at most 1000000000000 credits" in above.stderr


def test_a_store_created_by_a_command_is_private_to_its_owner(run: Run, tmp_path: Path) -> None:
    run("account", "create", "ada@example.com", "--sandbox")
    for folder in (tmp_path / "data", tmp_path / "data" / "sandbox"):
        assert folder.stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "data" / "sandbox" / "webquarry.db").stat().st_mode & 0o777 == 0o600


def test_table_of_endpoints_matches_the_registry(run: Run) -> None:
    assert (Path(__file__).parents[2] / "docs/endpoints.md").read_text() == run("endpoints", "--markdown").output


def test_a_password_is_prompted_for_if_it_is_not_given(run: Run) -> None:
    run("account", "create", "ada@example.com")
    done = run("account", "password", "ada@example.com", "--password", "correct horse battery")
    assert "The password of ada@example.com was set." in done.stdout
    assert run("account", "password", "ada@example.com", "--password", "short").exit_code == 1
    assert run("account", "password", "eve@example.com", "--password", "correct horse battery").exit_code == 1


def test_connected_apps_are_listed_and_disconnected(run: Run, tmp_path: Path) -> None:
    made = json.loads(run("account", "create", "ada@example.com", "--json").stdout)
    assert json.loads(run("app", "list", "ada@example.com", "--json").stdout) == []
    with sqlite3.connect(tmp_path / "data" / "webquarry.db") as store:
        store.execute("INSERT INTO oauth_clients VALUES ('https://app.example/c', 'The App', '{}', NULL, 0, NULL, 0)")
        store.execute(
            "INSERT INTO oauth_grants (id, account_id, client_id, name, address, resource, scope, created_at, used_at)"
            " VALUES ('gr_1', ?, 'https://app.example/c', 'The App', 'app.example', 'r', 'tools', 0, 0)",
            [made["account"]],
        )
        store.execute("INSERT INTO oauth_tokens VALUES ('d', 'gr_1', 'refresh', 0, 99999999999999, NULL)")
    store.close()
    assert (
        "gr_1  connected 1970-01-01, used 1970-01-01  The App  app.example"
        in run("app", "list", "ada@example.com").stdout
    )
    assert "Disconnected gr_1." in run("app", "revoke", "ada@example.com", "gr_1").stdout
    assert run("app", "list", "ada@example.com").stdout == ""
    assert run("app", "revoke", "ada@example.com", "gr_none").exit_code == 1


def test_key_has_an_expiry_and_a_cap_that_can_be_changed(run: Run) -> None:
    run("account", "create", "ada@example.com")
    create = ("key", "create", "ada@example.com", "--name", "job")
    key = json.loads(run(*create, "--expires", "2999-12-31", "--cap", "50", "--json").stdout)
    assert (key["expires_at"], key["monthly_cap"]) == ("3000-01-01T00:00:00Z", 50)
    line = next(line for line in run("key", "list", "ada@example.com").stdout.splitlines() if "job" in line)
    assert "active, last day 2999-12-31  50 credits per month  never used" in line
    assert (
        run("key", "cap", "ada@example.com", key["id"], "80").stdout == f"{key['id']} can spend 80 credits per month.\n"
    )
    assert json.loads(run("key", "cap", "ada@example.com", key["id"], "--json").stdout)["monthly_cap"] is None
    for wrong in (("--expires", "2001-01-01"), ("--expires", "soon"), ("--cap", "-1")):
        assert run(*create, *wrong).exit_code != 0
    assert "must be a date before 9999-01-01" in run(*create, "--expires", "9999-12-31").stderr
    assert len(json.loads(run("key", "list", "ada@example.com", "--json").stdout)) == 2


def test_account_can_be_disabled_enabled_and_made_administrator(run: Run) -> None:
    run("account", "create", "ada@example.com")
    assert run("account", "disable", "ada@example.com").stdout == "ada@example.com is disabled.\n"
    run("account", "admin", "ada@example.com", "on")
    shown = run("account", "show", "ada@example.com").stdout
    assert "Disabled since" in shown
    assert "Administrator." in shown
    assert json.loads(run("account", "enable", "ada@example.com", "--json").stdout)["disabled"] is False
    assert json.loads(run("account", "show", "ada@example.com", "--json").stdout)["disabled_at"] is None
    assert "No account has" in run("account", "disable", "nobody@example.com").stderr


def test_deleting_an_account_keeps_the_ledger_correct(run: Run) -> None:
    made = json.loads(run("account", "create", "ada@example.com", "--json").stdout)
    assert run("account", "delete", "ada@example.com").exit_code != 0  # without confirmation
    deleted = json.loads(run("account", "delete", "ada@example.com", "--yes", "--json").stdout)
    assert deleted == {"account": made["account"], "deleted": True}
    assert json.loads(run("account", "list", "--json").stdout) == []
    assert run("ledger", "verify").stdout == "The ledger is consistent.\n"
    assert run("account", "usage").stdout == "No paid requests.\n"
    assert run("account", "create", "ada@example.com").exit_code == 0
