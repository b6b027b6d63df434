import json
import subprocess
import sys
from pathlib import Path

import pytest

from webquarry_convert import ConversionFailed, UnsupportedType, convert, detect

PAGE = b"<html lang=en><title>Tides</title><body><main><h1>Tides</h1><p>The moon pulls. <a href=/sea>The sea</a></main>"
TABLE = b"Name,Score\nAda,12\nGrace,15\n"


def run(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "webquarry_convert.cli", *arguments], input=given, capture_output=True, check=False
    )


def test_pages_and_files_use_the_same_function(tmp_path: Path) -> None:
    page = convert(PAGE, url="https://example.com/")
    assert (page.type, page.title, page.language) == ("html", "Tides", "en")
    assert "[The sea](https://example.com/sea)" in page.markdown
    (tmp_path / "scores.csv").write_bytes(TABLE)
    table = convert(tmp_path / "scores.csv")
    assert table.type == "csv"
    assert "| Ada | 12 |" in table.markdown


@pytest.mark.parametrize(
    ("body", "name", "kind"),
    [
        (PAGE, "", "html"),
        (b"# Tides\n\nThe moon pulls.\n", "tides.md", "markdown"),
        (b"The moon pulls.\n", "", "text"),
        (b'{"moon": [1, 2]}', "", "code"),
        (TABLE, "scores.csv", "csv"),
        (b"%PDF-1.7\n", "", "pdf"),
    ],
)
def test_the_content_decides_the_type(body: bytes, name: str, kind: str) -> None:
    assert detect(body, name) == kind


def test_text_and_data_are_returned_unchanged() -> None:
    assert convert(b"The moon pulls.\n").markdown == "The moon pulls.\n"
    assert convert(b'{"moon": [1, 2]}').markdown == '```json\n{"moon": [1, 2]}\n```\n'


def test_unsupported_or_damaged_content_raises_an_error() -> None:
    with pytest.raises(UnsupportedType):
        convert(b"\x7fELF\x02\x01\x01" + bytes(64))
    with pytest.raises(UnsupportedType, match="empty"):
        convert(b"")
    with pytest.raises(ConversionFailed):
        convert(b"%PDF-1.7\nnothing follows")


def test_the_command_converts_files_and_standard_input(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_bytes(TABLE)
    assert b"| Ada | 12 |" in run(str(tmp_path / "scores.csv")).stdout
    told = json.loads(run("-", "--json", "--url", "https://example.com/", given=PAGE).stdout)
    assert told["title"] == "Tides"
    assert told["links"] == [{"url": "https://example.com/sea", "text": "The sea"}]


def test_the_command_writes_several_files_and_names_those_that_failed(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_bytes(TABLE)
    (tmp_path / "page.html").write_bytes(PAGE)
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing follows")
    done = run(
        *(str(tmp_path / name) for name in ("scores.csv", "broken.pdf", "page.html")), "-o", str(tmp_path / "md")
    )
    assert done.returncode == 1
    assert sorted(path.name for path in (tmp_path / "md").iterdir()) == ["page.html.md", "scores.csv.md"]
    assert b"broken.pdf: " in done.stderr
    assert b"Traceback" not in done.stderr
    missing = run(str(tmp_path / "nowhere.pdf"))
    assert missing.returncode == 1
    assert b"No such file" in missing.stderr


def test_command_explains_the_content_selection() -> None:
    done = run("--explain", "-", given=PAGE)
    assert done.returncode == 0
    assert b"kept by cut\tp\tThe moon pulls. The sea\n" in done.stdout
    refused = run("--explain", "-", given=TABLE)
    assert (refused.returncode, refused.stdout) == (1, b"")
    assert b"Only HTML pages can be explained." in refused.stderr


def test_existing_files_are_kept_unless_forced(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_bytes(TABLE)
    (tmp_path / "scores.csv.md").write_text("mine")
    asked = [str(tmp_path / "scores.csv"), "-o", str(tmp_path)]
    kept = run(*asked)
    assert (kept.returncode, (tmp_path / "scores.csv.md").read_text()) == (1, "mine")
    assert kept.stderr.decode() == f"{asked[0]}: {tmp_path}/scores.csv.md exists; --force replaces it\n"
    assert run(*asked, "--force").returncode == 0
    assert "| Ada | 12 |" in (tmp_path / "scores.csv.md").read_text()


def test_sources_with_the_same_name_are_written_to_different_files(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "scores.csv").write_text(f"Name,Score\n{folder},12\n")
    done = run(str(tmp_path / "a/scores.csv"), str(tmp_path / "b/scores.csv"), "-o", str(tmp_path / "md"))
    assert (done.returncode, done.stderr) == (0, b"")
    written = sorted(path.read_text().count("| a | 12 |") for path in (tmp_path / "md").iterdir())
    assert written == [0, 1]
