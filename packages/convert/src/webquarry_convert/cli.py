"""The command `webquarry-convert`."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import orjson

from webquarry_convert.door import Document, convert, explain
from webquarry_convert.errors import ConversionError

FAILED = 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Convert the named files and return the exit code: 0, or 1 if one of them could not be converted."""
    options = _build_parser().parse_args(arguments)
    failed = False
    for source in options.files:
        try:
            (_explain if options.explain else _convert_and_write)(source, options)
        except (OSError, ConversionError) as exc:
            print(f"{source}: {exc.strerror if isinstance(exc, OSError) else exc}", file=sys.stderr)
            failed = True
    return FAILED if failed else 0


def _convert_and_write(source: str, options: argparse.Namespace) -> None:
    document = _convert(source, options)
    for warning in () if options.json else document.warnings:
        print(f"{source}: {warning}", file=sys.stderr)
    _write(document, source, options)


def _explain(source: str, options: argparse.Namespace) -> None:
    print(explain(sys.stdin.buffer.read() if source == "-" else Path(source), url=options.url), end="")


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="webquarry-convert", description="Convert web pages and files to markdown.", allow_abbrev=False
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="file to convert; - reads standard input")
    parser.add_argument("--json", action="store_true", help="write title, pages, warnings and markdown as JSON")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="write one file for each source into DIR")
    parser.add_argument("--url", metavar="URL", help="address of the page, for absolute links")
    parser.add_argument("--name", default="", metavar="NAME", help="file name of standard input")
    parser.add_argument("--no-ocr", dest="ocr", action="store_false", help="leave scanned pages out")
    parser.add_argument("--explain", action="store_true", help="say why each text of a page is kept or dropped")
    return parser


def _convert(source: str, options: argparse.Namespace) -> Document:
    if source == "-":
        return convert(sys.stdin.buffer.read(), name=options.name, url=options.url, ocr=options.ocr)
    return convert(Path(source), url=options.url, ocr=options.ocr)


def _write(document: Document, source: str, options: argparse.Namespace) -> None:
    written = _write_json(document) if options.json else document.markdown.encode()
    if options.output is None:
        sys.stdout.buffer.write(written)
        sys.stdout.buffer.flush()
        return
    options.output.mkdir(parents=True, exist_ok=True)
    name = "stdin" if source == "-" else Path(source).name
    (options.output / f"{name}.{'json' if options.json else 'md'}").write_bytes(written)


def _write_json(document: Document) -> bytes:
    fields = asdict(document)
    fields["links"] = [link._asdict() for link in document.links]
    fields["images"] = [image._asdict() for image in document.images]
    return orjson.dumps(fields, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


if __name__ == "__main__":
    sys.exit(main())
