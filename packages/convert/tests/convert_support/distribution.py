"""Creates distributions that add formats, in a folder and in the form in which an installer leaves them."""

from collections.abc import Mapping
from pathlib import Path

SRT = r'''
import html

from webquarry_convert.formats import Document, Format, make_corrupt_error, write_html

FORMAT = Format(
    name="srt",
    label="SubRip subtitles",
    reader="webquarry_srt:read",
    extensions=(".srt",),
    detector="webquarry_srt:is_srt",
)


def is_srt(body: bytes, name: str) -> bool:
    return b" --> " in body[:200]


def read(body: bytes) -> Document:
    """Return the spoken text, a paragraph for each cue."""
    try:
        text = body.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as exc:
        raise make_corrupt_error("it is not UTF-8") from exc
    cues = [block.split("\n", 2)[2:] for block in text.strip().split("\n\n")]
    lines = [html.escape(" ".join(said[0].split())) for said in cues if said]
    return Document(write_html("".join(f"<p>{line}</p>" for line in lines)))
'''
"""The module `webquarry_srt`, which declares a format with an extension and a detector."""
SUBTITLES = b"""1
00:00:01,000 --> 00:00:02,000
The moon pulls
the *sea*.

2
00:00:03,000 --> 00:00:04,000
Twice a day.
"""
AS_MARKDOWN = "The moon pulls the *sea\\*.\n\nTwice a day.\n"


def install(folder: Path, distribution: str, modules: Mapping[str, str], formats: Mapping[str, str]) -> None:
    """Add a distribution of version 1.0 to a folder of modules.

    modules: source code by module name. formats: the entry points (`module:object`) by name.
    """
    for name, code in modules.items():
        (folder / f"{name}.py").write_text(code)
    described = folder / f"{distribution.replace('-', '_')}-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
    entries = "".join(f"{name} = {target}\n" for name, target in formats.items())
    (described / "entry_points.txt").write_text(f"[webquarry_convert.formats]\n{entries}")


def install_srt(folder: Path) -> None:
    install(folder, "webquarry-srt", {"webquarry_srt": SRT}, {"srt": "webquarry_srt:FORMAT"})
