"""Misclassification of plain text as delimited tables and vice versa, on texts of this machine and tables of real
files.

The texts are the sources of Python and of installed packages, documentation, headers, scripts and configuration of the
system, and generated emails. The tables are the tables in the evaluation kit's documents, written in several ways, and
delimited files of the machine. Each kind is split into halves by a hash of the file name: thresholds are chosen on the
first half and only verified on the second.

    python -m bench.delimited            # figures
    python -m bench.delimited --wrong    # and the names of misjudged files in the first half
"""

import argparse
import csv
import hashlib
import io
import itertools
import json
import random
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from bench.table import show
from webquarry.core.errors import ExtractionError, UnsupportedType
from webquarry_convert.file.detect import detect

KIT = Path(__file__).parents[2] / "shared" / "evals" / "files"
PYTHON = Path(sysconfig.get_path("stdlib"))
PACKAGES = Path(sysconfig.get_path("purelib"))
MOST = 400
"""Maximum number of files of one kind."""
TEXTS: dict[str, Sequence[tuple[Path, Sequence[str]]]] = {
    "Python": [(PYTHON, ["*.py"]), (PACKAGES, ["*.py"])],
    "C and JavaScript": [(Path("/usr/include"), ["*.h"]), (PACKAGES, ["*.js", "*.c", "*.h", "*.css", "*.ts"])],
    "shell": [(Path("/usr/bin"), ["*"]), (Path("/etc"), ["*.sh"]), (Path("/usr/share"), ["*.sh"])],
    "markdown and notes": [(PACKAGES, ["*.md", "*.rst", "METADATA"]), (Path("/usr/share/doc"), ["*.md", "README*"])],
    "prose": [(PACKAGES, ["LICENSE*", "*.txt"]), (Path("/usr/share/doc"), ["copyright", "*.txt", "NEWS*"])],
    "configuration": [(Path("/etc"), ["*.conf", "*.cfg", "*.ini", "*rc", "*.list", "*tab"]),
                      (PACKAGES, ["*.toml", "*.ini", "*.cfg", "*.yaml", "*.yml"])],
}  # fmt: skip
WAYS: dict[str, tuple[str, int, str]] = {
    "comma": (",", csv.QUOTE_MINIMAL, "\r\n"),
    "semicolon": (";", csv.QUOTE_MINIMAL, "\n"),
    "tab": ("\t", csv.QUOTE_MINIMAL, "\n"),
    "all quoted": (",", csv.QUOTE_ALL, "\r\n"),
    "pipe": ("|", csv.QUOTE_MINIMAL, "\n"),
}
LEAST_ROWS = 2


def main(*, names_wrong: bool) -> None:
    rows: list[tuple[object, ...]] = []
    for kind, bodies in itertools.chain(_texts(), _tables()):
        wanted = "table" if kind.startswith("table") else "text"
        halves: tuple[list[str], list[str]] = ([], [])
        for place, (name, body) in enumerate(bodies):
            if (_is_table(name if kind.startswith("table, named") else "", body)) != (wanted == "table"):
                halves[place % 2].append(name)
        rows.append((kind, len(bodies), *(_share(len(wrong), len(bodies) // 2) for wrong in halves)))
        if names_wrong:
            for name in halves[0][:12]:
                print(f"{kind}: {name}")
    show(
        "Texts taken for tables, tables taken for texts",
        ("kind", "files", "wrong, first half", "wrong, second half"),
        rows,
    )


def _is_table(name: str, body: bytes) -> bool:
    try:
        return detect(body, name) == "csv"
    except (UnsupportedType, ExtractionError):
        return False


def _share(wrong: int, all_of_them: int) -> str:
    return f"{wrong} ({wrong / max(all_of_them, 1):.1%})"


def _texts() -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    for kind, places in TEXTS.items():
        files = [file for place, patterns in places for pattern in patterns for file in place.rglob(pattern)]
        yield kind, list(itertools.islice(_readable(_shuffled(files)), MOST))
    yield "mail", [(f"mail {number}", _mail(random.Random(number))) for number in range(MOST // 2)]


def _readable(files: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    """Yield texts of a minimum length, each only once."""
    seen: set[bytes] = set()
    for file in files:
        try:
            body = file.read_bytes()[: 1 << 20] if file.is_file() else b""
        except OSError:
            continue
        if len(body) > 40 and 0 not in body[:8192] and body[:4096] not in seen:
            seen.add(body[:4096])
            yield str(file), body


def _shuffled(files: Iterable[Path]) -> list[Path]:
    return sorted(set(files), key=lambda file: hashlib.sha256(str(file).encode()).digest())


def _mail(chance: random.Random) -> bytes:
    """Build an email with typical headers, and a body of sentences, quotes and a signature."""
    words = ["the", "meeting", "on", "Monday,", "please", "send", "figures,", "and", "regards", "we", "agreed", "to;"]
    people = ["Ada Byron <ada@example.org>", "Grace Hopper <grace@example.com>", "alan@example.net"]
    lines = [
        f"From: {chance.choice(people)}",
        f"To: {', '.join(chance.sample(people, chance.randint(1, 3)))}",
        f"Subject: {' '.join(chance.choices(words, k=4))}",
        f"Date: Mon, {chance.randint(1, 28)} Jun 2026 10:{chance.randint(10, 59)}:00 +0200",
        "",
        *(" ".join(chance.choices(words, k=chance.randint(3, 14))) for _ in range(chance.randint(1, 30))),
    ]
    return "\n".join(lines[chance.choice([0, 0, 0, 5]) :]).encode()


def _tables() -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    tables = [
        (f"{file.stem} {number}", table)
        for file in _shuffled(KIT.glob("*/expected/*.json"))
        for number, table in enumerate(json.loads(file.read_text()).get("tables") or ())
        if len(table) >= LEAST_ROWS and max(map(len, table)) > 1
    ][: MOST * 2]
    for way, (sign, quoting, end) in WAYS.items():
        made = [(f"{name}.csv", _written(table, sign, quoting, end)) for name, table in tables]
        yield f"table, {way}", made
        if way == "comma":
            yield "table, named .csv", made
    files = [*KIT.glob("*/docs/*.csv"), *KIT.glob("*/docs/*.tsv"), *PACKAGES.rglob("*.csv"), *PYTHON.rglob("*.csv")]
    own = list(_readable(_shuffled([*files, *Path("/usr/share").rglob("*.csv")])))
    yield "table, of the machine", own
    yield "table, named, of the machine", own


def _written(table: Sequence[Sequence[object]], sign: str, quoting: int, end: str) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=sign, quoting=quoting, lineterminator=end)  # type: ignore[arg-type]  # an int
    width = max(map(len, table))
    writer.writerows([*row, *[""] * (width - len(row))] for row in table)
    return text.getvalue().encode()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.delimited")
    parser.add_argument("--wrong", action="store_true")
    main(names_wrong=parser.parse_args().wrong)
