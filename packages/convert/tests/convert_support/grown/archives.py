"""Archives with arbitrary content."""

import io
import zipfile
from collections.abc import Mapping

from convert_support.grown.kinds import Builder
from convert_support.packed import packed


def make_archives() -> Mapping[str, Builder]:
    def parts(n: int) -> bytes:
        return packed({"word/document.xml": "<a/>", **{f"p{at}": b"x" for at in range(n)}})

    def names(n: int) -> bytes:
        body = io.BytesIO()
        with zipfile.ZipFile(body, "w") as archive:
            for at in range(min(n, 4_900)):
                archive.writestr("a/" * 9 + str(at), b"")
        return body.getvalue()

    return {
        "zip parts": parts,
        "zip names": names,
        "zip of a stored part": lambda n: packed({"xl/workbook.xml": "<a/>", "x": b"x" * (40 * n)}, stored=("x",)),
    }
