"""The hosts of the pages, and everything that the pages request while they run."""

import asyncio
import json
import mimetypes
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass
from hashlib import sha1
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from proofs.rendered.catalogue import PAGES, PAGES_FOLDER, Page
from proofs.rendered.stories import Story
from support.origin import Asked, Origin, Script, answer

FOREIGN = "This sentence is shown by another origin, in a frame that the page has put beside its own text."
_SLOW_S = 1.5
_STEP_S = 0.5
_TICK_S = 0.05
_WEBSOCKET = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, 1.3
_OPEN_ENDED = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Hosts:
    """The origin of each page by its name, and the other origins."""

    pages: Mapping[str, Origin]
    elsewhere: Origin

    def url(self, page: Page) -> str:
        return self.pages[page.name].url()

    @property
    def targets(self) -> str:
        """Return all origins, as `egress_allow` expects them."""
        return ",".join(origin.target for origin in (self.elsewhere, *self.pages.values()))

    @property
    def requests(self) -> int:
        """Return the number of requests to the pages so far."""
        return sum(len(origin.requests) for origin in self.pages.values())


@asynccontextmanager
async def hosts_of_pages() -> AsyncIterator[Hosts]:
    """Serve every page at the root of a separate host, so that failures of one do not affect the others."""
    async with AsyncExitStack() as stack:
        elsewhere = await stack.enter_async_context(Origin())
        elsewhere.on(
            "/foreign",
            _html(
                f"<!doctype html><title>Foreign</title><p>{FOREIGN}<script>parent.postMessage('ready', '*')</script>"
            ),
        )
        pages = {}
        for number, page in enumerate(PAGES, start=1):
            host = await stack.enter_async_context(Origin(f"127.0.1.{number}"))
            _serve(page, host, elsewhere)
            pages[page.name] = host
        yield Hosts(pages, elsewhere)


def _serve(page: Page, host: Origin, elsewhere: Origin) -> None:
    found = page.story

    def on(path: str, answered: bytes | Script) -> None:
        host.on(f"/{path}", answered)

    def static(file: Path) -> bytes:
        text = file.read_text().replace("STORY", _data(found)).replace("ELSEWHERE", elsewhere.url("").rstrip("/"))
        media_type, _ = mimetypes.guess_type(file.name)
        charset = "; charset=utf-8" if page.encoding == "utf-8" else ""
        return answer(200, text.encode(page.encoding), {"Content-Type": f"{media_type}{charset}"})

    on("", static(page.file))
    for name, file in _parts(page):
        on(name, static(file))
    on("story.json", _json(found))
    on("story.html", _html("".join(f"<{tag}>{text}</{tag}>" for tag, text in _tagged(found))))
    on("part.json", _part(found))
    on("slow-story.json", _late(_json(found), _SLOW_S))
    on("slow-part.json", _part(found, _STEP_S))
    on("lines", _lines(found))
    on("socket", _socket(found, host))
    on("events", _events(found, host))
    on("ticks", _ticks(host))
    on("never", _never(host))
    match page.name:
        case "slow-script":
            on("slow-script.js", _late(static(PAGES_FOLDER / "slow-script.js"), _SLOW_S))
        case "slow-document":
            on("", _document(page.file.read_text(), found))


def _parts(page: Page) -> Iterator[tuple[str, Path]]:
    """Yield the files that belong to the page: URL path below its folder, and file path."""
    if page.file.parent == PAGES_FOLDER:
        for file in PAGES_FOLDER.glob(f"{page.name}.*"):
            yield file.name, file
    else:
        for file in page.file.parent.rglob("*.js"):
            yield file.relative_to(page.file.parent).as_posix(), file


def _data(story: Story) -> str:
    """Return the story as JSON that is safe within a script."""
    return json.dumps(asdict(story)).replace("<", "\\u003c")


def _tagged(story: Story) -> Sequence[tuple[str, str]]:
    return [("h1", story.title), *(("p", text) for text in story.paragraphs)]


def _piece(story: Story, number: int) -> dict[str, str]:
    """Return one part of the story. After its end, there are endless further parts."""
    tagged = _tagged(story)
    tag, text = tagged[number] if number < len(tagged) else ("p", f"There is more to come after part {number}.")
    return {"tag": tag, "text": text}


def _html(text: str) -> bytes:
    return answer(200, text.encode(), {"Content-Type": "text/html; charset=utf-8"})


def _json(value: Story | dict[str, str]) -> bytes:
    body = asdict(value) if isinstance(value, Story) else value
    return answer(200, json.dumps(body).encode(), {"Content-Type": "application/json"})


def _part(story: Story, after_s: float = 0.0) -> Script:
    async def tell(asked: Asked, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(after_s)
        number = int(parse_qs(urlsplit(asked.target).query)["part"][0])
        writer.write(_json(_piece(story, number)))
        await writer.drain()

    return tell


def _late(answered: bytes, after_s: float) -> Script:
    async def tell(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(after_s)
        writer.write(answered)
        await writer.drain()

    return tell


def _pieces(media_type: str, pieces: Callable[[], Iterator[bytes]], pause_s: float) -> Script:
    """Return a script that sends a body in parts, with a pause before each of them, until the connection ends."""

    async def tell(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(_OPEN_ENDED % media_type.encode())
        for piece in pieces():
            await asyncio.sleep(pause_s)
            writer.write(piece)
            await writer.drain()
        writer.close()

    return tell


def _lines(story: Story) -> Script:
    def pieces() -> Iterator[bytes]:
        for number in range(4):
            yield json.dumps(_piece(story, number)).encode() + b"\n"

    return _pieces("application/x-ndjson", pieces, _STEP_S)


def _document(html: str, story: Story) -> Script:
    head, _, rest = html.partition("<!-- parts -->")

    def pieces() -> Iterator[bytes]:
        yield head.encode()
        for tag, text in _tagged(story):
            yield f"<script>add({json.dumps(tag)}, {json.dumps(text)})</script>\n".encode()
        yield rest.encode()

    return _pieces("text/html; charset=utf-8", pieces, _STEP_S)


def _events(story: Story, host: Origin) -> Script:
    async def tell(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(_OPEN_ENDED % b"text/event-stream")
        for number in range(4):
            writer.write(f"event: part\ndata: {json.dumps(_piece(story, number))}\n\n".encode())
        await writer.drain()
        await host.left(writer)

    return tell


def _ticks(host: Origin) -> Script:
    async def tell(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(_OPEN_ENDED % b"text/event-stream")
        leaving = asyncio.ensure_future(host.left(writer))
        number = 0
        while not leaving.done():
            number += 1
            writer.write(f"data: rate {number}\n\n".encode())
            await asyncio.wait({leaving}, timeout=_TICK_S)
        await leaving

    return tell


def _socket(story: Story, host: Origin) -> Script:
    """Return a script of a WebSocket that sends the story, one part in each message (RFC 6455)."""

    async def tell(asked: Asked, writer: asyncio.StreamWriter) -> None:
        key = asked.headers["sec-websocket-key"].encode()
        accept = b64encode(sha1(key + _WEBSOCKET).digest()).decode()
        writer.write(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Accept: {accept}\r\n\r\n".encode()
        )
        for number in range(4):
            writer.write(_message(json.dumps(_piece(story, number)).encode()))
        await writer.drain()
        await host.left(writer)

    return tell


def _message(text: bytes) -> bytes:
    """Return a WebSocket message of less than 64 KB, in one frame."""
    size = bytes([len(text)]) if len(text) < 126 else b"\x7e" + len(text).to_bytes(2, "big")
    return b"\x81" + size + text


def _never(host: Origin) -> Script:
    async def tell(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        await host.left(writer)

    return tell
