"""The supported file types, and the error for others."""

from typing import Final, Literal, NoReturn, TypeGuard, get_args

from webquarry_convert.errors import UnsupportedType

FileType = Literal[
    "pdf",
    "docx",
    "doc",
    "xlsx",
    "xls",
    "csv",
    "odt",
    "ods",
    "odp",
    "numbers",
    "pptx",
    "epub",
    "eml",
    "png",
    "jpeg",
    "tiff",
    "webp",
    "gif",
    "bmp",
    "heic",
]

PICTURES: frozenset[FileType] = frozenset({"png", "jpeg", "tiff", "webp", "gif", "bmp", "heic"})
"""Types whose text only OCR can read."""

SUPPORTED: Final = (
    "Supported files: PDF, Word, Excel, PowerPoint, CSV, OpenDocument, Apple Numbers, EPUB, email and images (PNG, "
    "JPEG, TIFF, WebP, GIF, BMP, HEIC)."
)


def is_type(kind: str) -> TypeGuard[FileType]:
    """Return whether `kind` is the name of a type that can be read."""
    return kind in get_args(FileType)


def refuse_type(what: str) -> NoReturn:
    raise UnsupportedType(f"The file is {what}, which is not supported. {SUPPORTED}")
