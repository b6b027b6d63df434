"""The supported file formats: built-in formats and formats that other distributions add.

get_format("docx").read(body, name, readings)
"""

from collections.abc import Mapping
from typing import Final, NoReturn

from webquarry_convert.errors import UnsupportedType
from webquarry_convert.file.format import Format
from webquarry_convert.file.installed_formats import InstalledFormat, InstalledFormats, find_installed

_HERE: Final = __package__
_DOCUMENTS: Final = (
    Format(name="pdf", label="PDF", reader=f"{_HERE}.pdf:read", options=("readings",), signatures=(b"%PDF-",)),
    Format(name="docx", label="Word", reader=f"{_HERE}.text.docx:read"),
    Format(name="doc", label="Word", reader=f"{_HERE}.word97:read"),
    Format(name="xlsx", label="Excel", reader=f"{_HERE}.sheets.xlsx:read"),
    Format(name="xls", label="Excel", reader=f"{_HERE}.sheets.xls:read"),
    Format(name="pptx", label="PowerPoint", reader=f"{_HERE}.text.pptx:read"),
    Format(name="csv", label="CSV", reader=f"{_HERE}.sheets.csv:read", options=("name",)),
    Format(name="odt", label="OpenDocument", reader=f"{_HERE}.text.odt:read"),
    Format(name="ods", label="OpenDocument", reader=f"{_HERE}.sheets.ods:read"),
    Format(name="odp", label="OpenDocument", reader=f"{_HERE}.text.odp:read"),
    Format(name="numbers", label="Apple Numbers", reader=f"{_HERE}.sheets.numbers:read"),
    Format(name="epub", label="EPUB", reader=f"{_HERE}.epub:read"),
    Format(name="eml", label="mail", reader=f"{_HERE}.mail.message:read"),
)
_SIGNATURES_OF_PICTURES: Final[Mapping[str, tuple[bytes, ...]]] = {
    "PNG": (b"\x89PNG\r\n\x1a\n",),
    "JPEG": (b"\xff\xd8\xff",),
    "TIFF": (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"),
    "WebP": (),
    "GIF": (b"GIF87a", b"GIF89a"),
    "BMP": (),
    "HEIC": (),
}
"""The signatures of picture formats. For the other picture formats, `detect` examines more than the first bytes."""
_PICTURES: Final = tuple(
    Format(
        name=label.lower(),
        label=label,
        reader=f"{_HERE}.image:read",
        options=("readings",),
        signatures=signatures,
    )
    for label, signatures in _SIGNATURES_OF_PICTURES.items()
)
FORMATS: Final[Mapping[str, Format]] = {each.name: each for each in (*_DOCUMENTS, *_PICTURES)}
"""The built-in formats by name."""
PICTURES: Final = frozenset(each.name for each in _PICTURES)
"""Types whose text only OCR can read."""
_NAMES: Final = frozenset(FORMATS)


def is_type(name: str) -> bool:
    """Return whether a format has this name."""
    return name in FORMATS or (name != "" and name in list_installed().formats)


def get_format(name: str) -> Format | InstalledFormat:
    """Return the format with this name. Raises KeyError if there is none."""
    return FORMATS.get(name) or list_installed().formats[name]


def list_installed() -> InstalledFormats:
    """Return the formats from other distributions. The first call imports them."""
    return find_installed(_NAMES)


def describe_supported() -> str:
    """Return sentences that list the supported files, and the installed formats that cannot be used."""
    installed = list_installed()
    images = f"images ({', '.join(each.label for each in _PICTURES)})"
    labels = [
        *dict.fromkeys(each.label for each in _DOCUMENTS),
        *(each.format.label for each in installed.formats.values()),
        images,
    ]
    broken = [
        f" The format {each.name} of {each.distribution} is installed, but cannot be loaded."
        for each in installed.broken
    ]
    return f"Supported files: {', '.join(labels[:-1])} and {labels[-1]}.{''.join(broken)}"


def refuse_type(what: str) -> NoReturn:
    raise UnsupportedType(f"The file is {what}, which is not supported. {describe_supported()}")
