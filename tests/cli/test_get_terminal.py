"""`webquarry get` on a terminal: rendered, colored, paged, and safe from hostile pages."""

import json
import re
import time
from pathlib import Path
from typing import Any

import orjson
import pytest

from support.sandbox import Sandbox
from support.terminal import Shown, run_in_pipes, run_on_terminal
from webquarry.cli.answering import describe_running
from webquarry.cli.asking import Failure, Question, exit_with
from webquarry.cli.catalogue import read_catalogue
from webquarry.cli.screen import MAX_RENDERED_CHARS, Screen, clean
from webquarry.cli.terminal_markdown import render_markdown
from webquarry.core.progress import report_progress, watch_progress

ASKED = ("get", "domain_registration", "example.com")


def show(server: Sandbox, folder: Path, *options: str, **variables: Any) -> Shown:
    """Run `webquarry get` against the server on a terminal."""
    variables = {"WEBQUARRY_SERVER": server.url, "WEBQUARRY_API_KEY": server.key, "PAGER": "cat", **variables}
    return run_on_terminal(*ASKED, *options, folder=folder, **variables)


def read_json(output: str) -> Any:
    """Return the JSON object in the output of a terminal, which is between a spinner and the price."""
    return json.JSONDecoder().raw_decode(output, output.index("{"))[0]


def render(markdown: str, *, width: int = 80) -> str:
    return render_markdown(markdown, width=width, is_dumb=True, has_colours=False)


def test_terminal_shows_time_and_readable_markdown_and_a_pipe_gets_compact_json(tmp_path: Path) -> None:
    shown = run_on_terminal(*ASKED, "--sandbox", folder=tmp_path, PAGER="cat")
    assert shown.code == 0
    assert re.search(r"⠋ domain_registration example\.com [0-9]+\.[0-9] s", shown.text)
    last_frame, _, output = shown.raw.rpartition("\r\x1b[K")
    assert last_frame.endswith(" s")
    assert output.startswith("\x1b[1;4mexample.com: registration")
    assert " • Registrar: Example Registrar, Inc." in shown.text
    piped = run_in_pipes(*ASKED, "--sandbox", folder=tmp_path)
    assert piped.stdout.count(b"\n") == 1
    assert json.loads(piped.stdout)["extractor"] == "domain_registration"
    assert (b"\x1b" in piped.stdout, piped.stderr) == (False, b"")


def test_spinner_counts_the_pages_of_a_scan() -> None:
    question = Question(read_catalogue()["markdown_file"], (), "scan.tif")
    progress = watch_progress()
    assert describe_running(question, progress) == "markdown_file scan.tif"
    report_progress("pages", 1, 3)
    assert describe_running(question, progress) == "markdown_file 1 of 3 pages scan.tif"


@pytest.mark.parametrize("option", [("--fields", "domain"), ("--chunks", "100")])
def test_fields_and_chunks_are_shown_as_json(server: Sandbox, tmp_path: Path, option: tuple[str, str]) -> None:
    shown = show(server, tmp_path, *option, NO_COLOR="1")
    assert shown.code == 0
    assert option[0].removeprefix("--") in read_json(shown.raw)


def test_json_is_colored_on_a_terminal_unless_no_color_is_set(server: Sandbox, tmp_path: Path) -> None:
    shown = show(server, tmp_path, "--json")
    assert "\x1b[94m" in shown.raw
    assert read_json(shown.text)["data"]["domain"] == "example.com"
    plain = show(server, tmp_path, "--json", NO_COLOR="1")
    assert read_json(plain.raw)["extractor"] == "domain_registration"


def test_markdown_has_no_colors_if_no_color_is_set(server: Sandbox, tmp_path: Path) -> None:
    plain = show(server, tmp_path, NO_COLOR="1")
    assert "\x1b[4mNameservers\x1b[0m" in plain.raw


def test_long_output_goes_through_the_pager_and_short_output_does_not(server: Sandbox, tmp_path: Path) -> None:
    numbered = re.compile(r"^ +2\t", re.MULTILINE)
    assert numbered.search(show(server, tmp_path, rows=10, PAGER="cat -n").text)
    assert not numbered.search(show(server, tmp_path, rows=100, PAGER="cat -n").text)


def test_real_pager_shows_the_first_screen_and_quits(server: Sandbox, tmp_path: Path) -> None:
    shown = show(server, tmp_path, rows=10, typed=b"q", PAGER="less")
    assert shown.code == 0
    assert "example.com: registration" in shown.text
    assert "Fetched" not in shown.text


def test_error_on_a_terminal_is_a_sentence(tmp_path: Path) -> None:
    shown = run_on_terminal("get", "markdown_url", "http://127.0.0.1/", folder=tmp_path)
    assert shown.code == 4
    assert "Error: This address can't be fetched" in shown.text


HOSTILE = "a\x1b]0;owned\x07b\x9b31mc\u202egpj.exe \x08\x08 \r d"


@pytest.mark.parametrize("show", ["show_body", "show_json", "show_text"])
def test_no_control_sequence_of_a_page_reaches_the_terminal(capsys: pytest.CaptureFixture[str], show: str) -> None:
    screen = Screen({"TERM": "dumb", "PAGER": "cat"})
    if show == "show_text":
        screen.show_text(HOSTILE)
    else:
        getattr(screen, show)(orjson.dumps({"markdown": HOSTILE}))
    output = capsys.readouterr().out
    assert not set(output) & set("\x1b\x07\x9b\x08\u202e")
    assert "gpj" in output


def test_no_control_sequence_of_an_error_reaches_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        exit_with(Failure(HOSTILE, "provider_error", request_id=HOSTILE), as_json=False)
    assert not set(capsys.readouterr().err) & set("\x1b\x07\x9b\x08\u202e")


def test_dumb_terminal_gets_plain_text(server: Sandbox, tmp_path: Path) -> None:
    shown = show(server, tmp_path, TERM="dumb")
    assert "\nNameservers\r\n" in shown.raw
    assert "\x1b" not in shown.raw


def test_control_characters_are_replaced_and_text_is_kept() -> None:
    assert clean("é\t漢\n👩‍👧") == "é\t漢\n👩‍👧"
    assert clean(HOSTILE).isprintable()
    assert not set(render("&#27;[31m &#x9b; [a](http://x/%1b%5b)")) & {"\x1b", "\x9b"}


def test_tables_show_all_of_their_content() -> None:
    long = "".join(chr(97 + number % 26) for number in range(200))
    shown = render(f"| a | long |\n| - | - |\n| 1 | {long} |\n")
    assert "".join(shown.split()).endswith(long)
    names = [f"column{number}" for number in range(40)]
    wide = render(f"|{'|'.join(names)}|\n|{'-|' * 40}\n|{'|'.join(f'v{name}' for name in names)}|\n")
    assert wide.split("\n")[39] == "column39: vcolumn39"


def test_lines_have_at_most_the_width_and_no_spaces_at_their_end() -> None:
    lines = render("# Title\n\n" + "word " * 100 + "\n\n- a\n- b\n", width=40).splitlines()
    assert max(map(len, lines)) <= 40
    assert lines == [line.rstrip() for line in lines]


@pytest.mark.parametrize("piece", ["[", "**a", "- a\n", "`", "|a|b|\n|-|-|\n|1|2|\n\n"])
def test_hostile_markdown_is_rendered_in_linear_time(piece: str) -> None:
    def measure(chars: int) -> float:
        text = piece * (chars // len(piece))
        began = time.process_time()
        render(text)
        return time.process_time() - began

    measure(1000)
    small, large = measure(MAX_RENDERED_CHARS // 8), measure(MAX_RENDERED_CHARS // 2)
    assert large < 10 * small + 0.2
