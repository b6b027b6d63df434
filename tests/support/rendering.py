"""Pages that have to be rendered, one for each way in which pages are difficult."""

from collections.abc import Mapping

from support.origin import answer

WORDS = "Every word here was written by a script, and there are enough of them to be called a text. " * 4


def html(body: str, *, head: str = "", status: int = 200, headers: Mapping[str, str] | None = None) -> bytes:
    """The HTTP answer that brings a page."""
    page = f'<!doctype html><html lang="en"><head><title>Page</title>{head}</head><body>{body}</body></html>'
    return answer(status, page.encode(), {"Content-Type": "text/html; charset=utf-8", **(headers or {})})


def script(code: str, body: str = "", *, headers: Mapping[str, str] | None = None) -> bytes:
    """A page that is nothing without its script, in which `WORDS` and `say(text)` are known."""
    text = f'const WORDS = "{WORDS}"; const say = (text) => document.body.append(text + " " + WORDS);'
    return html(f"{body}<script>{text}\n{code}</script>", headers=headers)
