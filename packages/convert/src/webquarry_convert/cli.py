"""The command `webquarry-convert`."""

import argparse
import errno
import hashlib
import os
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import orjson

from webquarry_convert.door import Document, convert, explain
from webquarry_convert.errors import ConversionError
from webquarry_convert.file.formats import FORMATS, list_installed

FAILED = 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Convert the named files and return the exit code: 0, or 1 if one of them could not be converted."""
    parser = _build_parser()
    options = parser.parse_args(arguments)
    if options.formats:
        return _list_formats()
    if not options.files:
        parser.error("name a file to convert, or - for standard input")
    failed = False
    for source in dict.fromkeys(options.files):
        try:
            (_explain if options.explain else _convert_and_write)(source, options)
        except FileExistsError as exc:
            print(f"{source}: {exc.filename} exists; --force replaces it", file=sys.stderr)
            failed = True
        except (OSError, ConversionError) as exc:
            print(f"{source}: {exc.strerror if isinstance(exc, OSError) else exc}", file=sys.stderr)
            failed = True
    return FAILED if failed else 0


def _convert_and_write(source: str, options: argparse.Namespace) -> None:
    target = _choose_target(source, options)
    if target is not None and target.exists() and not options.force:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
    document = _convert(source, options)
    for warning in () if options.json else document.warnings:
        print(f"{source}: {warning}", file=sys.stderr)
    _write(document, target, options)


def _explain(source: str, options: argparse.Namespace) -> None:
    print(explain(sys.stdin.buffer.read() if source == "-" else Path(source), url=options.url), end="")


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="webquarry-convert", description="Convert web pages and files to markdown.", allow_abbrev=False
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="file to convert; - reads standard input")
    parser.add_argument("--json", action="store_true", help="write title, pages, warnings and markdown as JSON")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="write one file for each source into DIR")
    parser.add_argument("--force", action="store_true", help="replace existing files in DIR")
    parser.add_argument("--url", metavar="URL", help="URL of the page, for absolute links")
    parser.add_argument("--name", default="", metavar="NAME", help="file name of standard input")
    parser.add_argument("--no-ocr", dest="ocr", action="store_false", help="skip scanned pages")
    parser.add_argument("--explain", action="store_true", help="explain why each text of a page is kept or dropped")
    parser.add_argument("--formats", action="store_true", help="list the file formats and where they come from")
    return parser


def _list_formats() -> int:
    """Print the built-in formats, then the installed ones.

    Return 1 as the exit code if an installed format cannot be loaded.
    """
    installed = list_installed()
    for each in FORMATS.values():
        print(f"{each.name}\t{each.label}\tbuilt-in")
    for found in installed.formats.values():
        print(f"{found.format.name}\t{found.format.label}\t{found.distribution}")
    for broken in installed.broken:
        print(f"{broken.name} of {broken.distribution} cannot be loaded: {broken.cause}", file=sys.stderr)
    return FAILED if installed.broken else 0


def _convert(source: str, options: argparse.Namespace) -> Document:
    if source == "-":
        return convert(sys.stdin.buffer.read(), name=options.name, url=options.url, ocr=options.ocr)
    return convert(Path(source), url=options.url, ocr=options.ocr)


def _choose_target(source: str, options: argparse.Namespace) -> Path | None:
    """Return the path of a source's output file, or None for standard output.

    If several sources have the same name, part of the hash of each path is added: `a/report.pdf` becomes
    `report.pdf-1f0c4a5e.md`.
    """
    if options.output is None:
        return None
    names = Counter(Path(each).name for each in dict.fromkeys(options.files))
    name = "stdin" if source == "-" else Path(source).name
    if names[name] > 1:
        name = f"{name}-{hashlib.sha256(os.fsencode(source)).hexdigest()[:8]}"
    return Path(options.output) / f"{name}.{'json' if options.json else 'md'}"


def _write(document: Document, target: Path | None, options: argparse.Namespace) -> None:
    written = _write_json(document) if options.json else document.markdown.encode()
    if target is None:
        sys.stdout.buffer.write(written)
        sys.stdout.buffer.flush()
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb" if options.force else "xb") as file:
        file.write(written)


def _write_json(document: Document) -> bytes:
    fields = asdict(document)
    fields["links"] = [link._asdict() for link in document.links]
    fields["images"] = [image._asdict() for image in document.images]
    return orjson.dumps(fields, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


if __name__ == "__main__":
    sys.exit(main())
