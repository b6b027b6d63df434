"""Pages that need rendering, one for each kind of difficulty."""

from collections.abc import Mapping

from support.origin import answer

WORDS = "Every word here was written by a script, and there are enough of them to be called a text. " * 4


def html(body: str, *, head: str = "", status: int = 200, headers: Mapping[str, str] | None = None) -> bytes:
    """Return the HTTP response with a page."""
    page = f'<!doctype html><html lang="en"><head><title>Page</title>{head}</head><body>{body}</body></html>'
    return answer(status, page.encode(), {"Content-Type": "text/html; charset=utf-8", **(headers or {})})


def script(code: str, body: str = "", *, headers: Mapping[str, str] | None = None) -> bytes:
    """Return a page that is empty without its script, which can use `WORDS` and `say(text)`."""
    text = f'const WORDS = "{WORDS}"; const say = (text) => document.body.append(text + " " + WORDS);'
    return html(f"{body}<script>{text}\n{code}</script>", headers=headers)
