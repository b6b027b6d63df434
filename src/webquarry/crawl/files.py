"""URLs of files that are not pages, recognized by their extension, such as images, programs, videos and archives."""

from typing import Final
from urllib.parse import urlsplit

_ENDINGS: Final = (
    "png jpg jpeg jpe gif svg webp avif ico bmp tif tiff heic psd ai eps "
    "css js mjs map json xml xsl rss atom woff woff2 ttf otf eot wasm swf "
    "mp3 mp4 m4a m4v mov avi mkv webm ogg ogv oga wav flac wmv mpg mpeg m3u8 "
    "zip gz tgz bz2 xz 7z rar tar dmg exe msi pkg deb rpm apk iso bin jar whl torrent"
)
NOT_PAGES: Final = frozenset(_ENDINGS.split())


def is_page(address: str) -> bool:
    """Return whether a URL may lead to a page or document that can be converted to markdown."""
    name = urlsplit(address).path.rpartition("/")[2]
    return "." not in name or name.rpartition(".")[2].lower() not in NOT_PAGES
