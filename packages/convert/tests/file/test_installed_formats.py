"""Formats of other distributions, which are installed in a folder on a new process's module path."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from convert_support.distribution import AS_MARKDOWN, SUBTITLES, install, install_srt
from webquarry_convert.file.format import Format

DECLARED = "from webquarry_convert.formats import Document, Format\nFORMAT = Format({})\n"
TABLE = b"Name,Score\nAda,12\nGrace,15\n"


def run(
    folder: Path, *arguments: str, program: tuple[str, ...] = ("-m", "webquarry_convert.cli")
) -> tuple[int, str, str]:
    """Run a command with the folder's distributions installed. Return the exit code, the output and the errors."""
    found = subprocess.run(
        [sys.executable, *program, *arguments],
        env={**os.environ, "PYTHONPATH": str(folder)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return found.returncode, found.stdout, found.stderr


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, body in files.items():
        (folder / name).write_bytes(body)


def declare(**fields: object) -> str:
    """Return the code of a module that declares a format."""
    return DECLARED.format(", ".join(f"{name}={value!r}" for name, value in fields.items()))


def test_file_of_an_installed_format_is_converted(tmp_path: Path) -> None:
    install_srt(tmp_path)
    write(tmp_path, {"film.srt": SUBTITLES})
    code, output, _ = run(tmp_path, "--json", "film.srt")
    converted = json.loads(output)
    assert (code, converted["type"], converted["markdown"]) == (0, "srt", AS_MARKDOWN)
    assert converted["word_count"] == 8


def test_the_formats_are_listed_with_their_distributions(tmp_path: Path) -> None:
    install_srt(tmp_path)
    code, output, _ = run(tmp_path, "--formats")
    assert code == 0
    assert "srt\tSubRip subtitles\twebquarry-srt 1.0" in output.splitlines()
    assert "pdf\tPDF\tbuilt-in" in output.splitlines()


def test_error_for_an_unsupported_file_lists_installed_formats(tmp_path: Path) -> None:
    install_srt(tmp_path)
    write(tmp_path, {"noise.bin": b"\x7fELF\x02\x01\x01" + bytes(64)})
    code, _, errors = run(tmp_path, "noise.bin")
    assert code == 1
    assert ", mail, SubRip subtitles and images (PNG" in errors


def test_built_in_formats_take_precedence_without_loading_others(tmp_path: Path) -> None:
    greedy = declare(name="any", label="Any", reader="greedy:read", detector="greedy:accept")
    module = f"print('loaded')\n{greedy}\naccept = lambda body, name: True\nread = lambda body: Document('greedy')\n"
    install(tmp_path, "greedy", {"greedy": module}, {"any": "greedy:FORMAT"})
    write(tmp_path, {"scores.csv": TABLE, "page.html": b"<html><title>Tides</title><p>The moon pulls.</p></html>"})
    for name, expected in (("scores.csv", "| Ada | 12 |"), ("page.html", "The moon pulls.")):
        code, output, _ = run(tmp_path, name)
        assert (code, expected in output, "greedy" in output, "loaded" in output) == (0, True, False, False)


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        ("import nothing_like_this", "ModuleNotFoundError: No module named 'nothing_like_this'"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("FORMAT = 1", "TypeError: bad:FORMAT is not a Format"),
        (declare(name="nad", label="Other", reader="bad:read"), "ValueError: the entry point is named bad"),
        (declare(name="bad", label="Bad", reader="bad:read"), "no signature, extension or detector"),
        (declare(name="bad", label="Bad", reader="bad:read", extensions=(".bad",)), "ImportError: bad has no function"),
        (declare(name="html", label="Bad", reader="bad:read"), "ValueError: invalid name of a format: 'html'"),
    ],
)
def test_broken_format_is_named_and_other_formats_still_load(code: str, cause: str, tmp_path: Path) -> None:
    install(tmp_path, "a-broken-one", {"bad": code}, {"bad": "bad:FORMAT"})
    install_srt(tmp_path)
    write(tmp_path, {"film.srt": SUBTITLES, "scores.csv": TABLE, "film.bad": b"\x7fELF\x02\x01\x01" + bytes(64)})
    exit_code, listed, errors = run(tmp_path, "--formats")
    assert (exit_code, "srt\tSubRip" in listed, "docx\tWord" in listed) == (1, True, True)
    assert "bad of a-broken-one 1.0 cannot be loaded: " in errors
    assert cause in errors
    exit_code, output, errors = run(tmp_path, "film.srt", "film.bad", "scores.csv")
    assert (exit_code, AS_MARKDOWN in output, "| Ada | 12 |" in output) == (1, True, True)
    assert "The format bad of a-broken-one 1.0 is installed, but cannot be loaded." in errors


def test_conflicting_name_belongs_to_the_built_in_format_or_the_first_distribution(tmp_path: Path) -> None:
    install(
        tmp_path,
        "thief",
        {"thief": declare(name="csv", label="CSV", reader="json:loads", extensions=(".csv",))},
        {"csv": "thief:FORMAT"},
    )
    install(
        tmp_path,
        "z-second",
        {"second": declare(name="srt", label="Other", reader="json:loads", extensions=(".srt",))},
        {"srt": "second:FORMAT"},
    )
    install_srt(tmp_path)
    code, listed, errors = run(tmp_path, "--formats")
    assert code == 1
    assert "csv of thief 1.0 cannot be loaded: ValueError: csv is a built-in format" in errors
    assert "srt of z-second 1.0 cannot be loaded: ValueError: srt is also a format of webquarry-srt 1.0" in errors
    assert "srt\tSubRip subtitles\twebquarry-srt 1.0" in listed


@pytest.mark.parametrize(
    ("reader", "message"),
    [
        ("def read(body): return {}['x']", "the format crash of crash 1.0 failed with KeyError"),
        ("def read(body): return 'text'", "the format crash of crash 1.0 failed with TypeError"),
        (
            "from webquarry_convert.formats import make_encrypted_error\ndef read(body): raise make_encrypted_error()",
            "The file is encrypted. Upload it without a password.",
        ),
    ],
)
def test_failing_reader_affects_only_its_file(reader: str, message: str, tmp_path: Path) -> None:
    declared = declare(name="crash", label="Crash", reader="crash:read", signatures=(b"CRSH",))
    install(tmp_path, "crash", {"crash": f"{declared}\n{reader}\n"}, {"crash": "crash:FORMAT"})
    write(tmp_path, {"a.crash": b"CRSH\0\1", "scores.csv": TABLE})
    code, output, errors = run(tmp_path, "a.crash", "scores.csv")
    assert (code, "| Ada | 12 |" in output) == (1, True)
    assert message in errors
    assert "Traceback" not in errors


def test_a_failing_detector_is_named(tmp_path: Path) -> None:
    declared = declare(name="crash", label="Crash", reader="crash:read", detector="crash:judge")
    code = f"{declared}\nread = print\ndef judge(body, name): raise OSError(name)\n"
    install(tmp_path, "crash", {"crash": code}, {"crash": "crash:FORMAT"})
    write(tmp_path, {"a.bin": bytes(64)})
    _, _, errors = run(tmp_path, "a.bin")
    assert "the format crash of crash 1.0 failed with OSError" in errors


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "Srt"},
        {"name": "text"},
        {"label": ""},
        {"label": "a\nb"},
        {"reader": "webquarry_srt.read"},
        {"detector": "webquarry_srt"},
        {"signatures": (b"",)},
        {"extensions": ("srt",)},
    ],
)
def test_invalid_declaration_is_rejected(wrong: dict[str, object]) -> None:
    right: dict[str, object] = {"name": "srt", "label": "SubRip subtitles", "reader": "webquarry_srt:read"}
    with pytest.raises(ValueError, match=f"invalid {next(iter(wrong))} of a format"):
        Format(**(right | wrong))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("signatures", "extensions", "body", "name", "expected"),
    [
        ((b"SUB1",), (), b"SUB1 text", "", True),
        ((b"SUB1",), (".sub",), b"other", "film.sub", False),
        ((), (".sub",), b"anything", "FILM.SUB", True),
        ((), (".sub",), b"anything", "film.txt", False),
    ],
)
def test_file_name_counts_only_for_formats_without_signatures(
    signatures: tuple[bytes, ...], extensions: tuple[str, ...], body: bytes, name: str, expected: bool
) -> None:
    made = Format(name="sub", label="Sub", reader="sub:read", signatures=signatures, extensions=extensions)
    assert made.matches(body, name) is expected
