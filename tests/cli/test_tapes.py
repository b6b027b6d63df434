"""Cases created by `webquarry tape new` in a separate folder, and the differences that `tape accept` shows."""

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import structlog
from click.testing import CliRunner, Result

from webquarry.cli import main, tape_maker
from webquarry.sandbox import cases
from webquarry.sandbox.cases import Case

New = Callable[..., Result]
DOMAIN = "tape-maker.com"
INSTANT = "2026-11-01T12:00:00Z"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of new cases. The repository's cases are not in it."""
    folder = tmp_path / "tapes"
    for module in (sys.modules[Case.__module__], tape_maker):
        monkeypatch.setattr(module, "KEPT", folder)
    yield folder
    structlog.reset_defaults()


@pytest.fixture
def new(kept: Path) -> New:
    def new(*arguments: str) -> Result:
        return CliRunner().invoke(main, ["tape", "new", *arguments, "--fetched-at", INSTANT], prog_name="webquarry")

    return new


@pytest.fixture
def wire(tmp_path: Path) -> str:
    """A response about `DOMAIN`, in the format of the example's."""
    [example] = [case for case in cases("domain_registration") if case.folder.name == "example_com"]
    body = example.exchanges[-1].answered().body
    path = tmp_path / "answer.json"
    path.write_bytes(body.replace(b"example.com", DOMAIN.encode()).replace(b"EXAMPLE.COM", DOMAIN.upper().encode()))
    return str(path)


def test_case_is_created_from_a_body(new: New, kept: Path, wire: str) -> None:
    done = new(
        "domain_registration",
        "made",
        "--wire",
        "@none",
        "--wire",
        wire,
        "--param",
        f"domain={DOMAIN}",
        "--note",
        "Made so.",
    )
    assert done.exit_code == 0, done.output
    assert "domain_registration/made: new: data.json, page.md" in done.output
    case = Case(kept / "domain_registration" / "made")
    assert (case.params, case.note, case.data["domain"]) == ({"domain": DOMAIN}, "Made so.\n", DOMAIN)
    [exchange] = case.exchanges
    assert exchange.request.url.endswith(f"/domain/{DOMAIN}")
    assert exchange.answered().body == Path(wire).read_bytes()
    assert exchange.answered().headers["content-type"] == "application/json"
    assert sorted(path.name for path in case.folder.iterdir()) == ["01.json", "data.json", "page.md", "tape.toml"]


@pytest.mark.parametrize("ships", [True, False])
def test_only_the_first_case_of_an_example_ships(
    new: New, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ships: bool
) -> None:
    [shipped] = [case for case in cases("domain_registration") if case.folder.name == "example_com"]
    package = tmp_path / "package"
    for module in (sys.modules[Case.__module__], tape_maker):
        monkeypatch.setattr(module, "SHIPPED", package)
    if not ships:
        shutil.copytree(shipped.folder, package / "domain_registration" / "example_com")
    body = tmp_path / "answer.json"
    body.write_bytes(shipped.exchanges[-1].answered().body)
    done = new("domain_registration", "again", "--wire", "@none", "--wire", str(body), "--param", "domain=example.com")
    assert done.exit_code == 0, done.output
    assert (package / "domain_registration" / "again").exists() is ships
    assert (kept / "domain_registration" / "again").exists() is not ships


def test_error_case_is_created_from_a_status_or_a_fault(new: New, kept: Path) -> None:
    made = {
        "absent": ["--wire", "@none", "--wire", "@empty", "--status", "404"],
        "down": ["--wire", "@none", "--wire", "@down"],
    }
    told = {"absent": "(code not_found)", "down": "(code provider_error, reason down)"}
    for number, (name, options) in enumerate(made.items()):
        done = new("domain_registration", name, *options, "--param", f"domain=tape-maker{number}.com")
        assert told[name] in done.output, done.output
    assert Case(kept / "domain_registration" / "absent").error["code"] == "not_found"
    assert Case(kept / "domain_registration" / "down").error["reason"] == "down"


def test_a_chosen_source_runs_with_the_settings_that_it_needs(new: New, kept: Path, tmp_path: Path) -> None:
    body = tmp_path / "answer.json"
    body.write_text(json.dumps({"organic": [{"title": "Tape", "link": "https://example.com/t", "position": 1}]}))
    done = new("search", "made", "--provider", "serper", "--wire", str(body), "--param", "q=a tape maker")
    assert done.exit_code == 0, done.output
    case = Case(kept / "search" / "made")
    assert ("serper_key" in case.settings, case.exchanges[0].request.method) == (True, "POST")
    assert "[Tape](https://example.com/t)" in (case.markdown or "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no_such", "made"], "Unknown endpoint: no_such."),
        (["domain_registration", "Made!"], "Made! is not a valid name."),
        (["domain_registration", "example_com"], "The tape domain_registration/example_com already"),
        (["domain_registration", "made", "--param", "domain=localhost"], "domain"),
        (["domain_registration", "made", "--param", "domain"], "--param must be NAME=VALUE, not domain."),
        (["domain_registration", "made", "--param", "domian=x.com"], "domian"),
        (["domain_registration", "made", "--param", "domain=x.com", "--provider", "rdpa"], "it has rdap."),
        (["domain_registration", "made", "--param", "domain=x.com", "--setting", "rdap=1"], "is not a setting"),
        (["domain_registration", "made", "--param", "domain=x.com", "--wire", "none.json"], "none.json can't be read"),
        (["domain_registration", "made", "--param", "domain=x.com", "--header", "a:b"], "--header requires --wire"),
        (["domain_registration", "made", "--param", "domain=x.com", "--status", "200"], "--status is set 1 times"),
        (["domain_registration", "made", "--param", "domain=x.com", "--file", __file__], "takes no --file"),
        (["markdown_file", "made"], "takes a --file"),
    ],
)
def test_invalid_options_are_reported_in_one_sentence(new: New, kept: Path, arguments: list[str], message: str) -> None:
    done = new(*arguments)
    assert (done.exit_code, message in done.output, done.output.count("\n")) == (1, True, 1), done.output
    assert not kept.exists()


def test_next_request_is_named_when_a_wire_is_missing(new: New, kept: Path) -> None:
    done = new("domain_registration", "made", "--wire", "@none", "--param", f"domain={DOMAIN}")
    assert "More than the 1 given responses are requested. Add --wire for GET https://" in done.output
    assert f"/domain/{DOMAIN}, or @none" in done.output
    assert (done.exit_code, kept.exists()) == (1, False)


def test_unused_wires_are_named(new: New, kept: Path, wire: str) -> None:
    done = new(
        "domain_registration",
        "made",
        "--wire",
        "@none",
        "--wire",
        wire,
        "--wire",
        "@down",
        "--param",
        f"domain={DOMAIN}",
    )
    assert "@down was not requested. The requests were: GET https://" in done.output
    assert (done.exit_code, kept.exists()) == (1, False)


def test_a_wire_must_have_the_requested_address(new: New, kept: Path, wire: str) -> None:
    given = ["domain_registration", "made", "--wire", "@none", "--wire", wire, "--param", f"domain={DOMAIN}"]
    done = new(*given, "--url", "https://example.com/other")
    assert "was recorded from https://example.com/other, but the request is GET https://" in done.output
    assert (done.exit_code, kept.exists()) == (1, False)


def test_body_of_an_unknown_type_needs_a_header(new: New, kept: Path, wire: str) -> None:
    nameless = Path(wire).rename(Path(wire).with_suffix(""))
    given = ["domain_registration", "made", "--wire", "@none", "--wire", str(nameless), "--param", f"domain={DOMAIN}"]
    assert "unknown file extension" in new(*given).output
    assert new(*given, "--header", "Content-Type: application/rdap+json").exit_code == 0


def test_two_cases_cannot_answer_the_same_request_differently(new: New, kept: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<title>Other</title><p>Another page at the same address.")
    done = new("markdown_url", "made", "--wire", str(page), "--param", "url=https://example.com")
    assert "GET https://example.com/ has a different response in the tape " in done.output
    assert "Use a different URL" in done.output
    assert (done.exit_code, kept.exists()) == (1, False)


def test_accept_shows_how_an_expectation_differs(new: New, kept: Path, wire: str) -> None:
    new("domain_registration", "made", "--wire", "@none", "--wire", wire, "--param", f"domain={DOMAIN}")
    accept = ["tape", "accept", "domain_registration/made"]
    assert CliRunner().invoke(main, accept).output == "domain_registration/made: same\n"
    page = kept / "domain_registration" / "made" / "page.md"
    page.write_text(page.read_text().replace(DOMAIN, "edited.com", 1))
    shown = CliRunner().invoke(main, accept).output
    assert shown.startswith("domain_registration/made: changed: page.md\n--- expected page.md\n+++ made page.md\n")
    assert "-# edited.com: " in shown
    assert f"+# {DOMAIN}: " in shown


def test_accept_refuses_an_answer_that_became_an_error(new: New, kept: Path, wire: str) -> None:
    new("domain_registration", "made", "--wire", "@none", "--wire", wire, "--param", f"domain={DOMAIN}")
    (kept / "domain_registration" / "made" / "01.json").write_text("{}")
    accept = ["tape", "accept", "domain_registration/made", "--unreleased"]
    assert "ends in an error now. If this is intended, use --turned." in CliRunner().invoke(main, accept).output
    done = CliRunner().invoke(main, [*accept, "--turned"]).output
    assert done.startswith("domain_registration/made: changed: data.json, page.md, error\n")
    assert '+code = "provider_error"' in done
