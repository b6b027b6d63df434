"""Walks over foreign XML without recursion: handlers by tag say what an element is.

A handler gets its reader and an element, and returns what is called when everything within has been walked, or None
when there is nothing within to walk.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from webquarry_convert.file.xml import Element

Leave = Callable[[], None]
Reader = TypeVar("Reader")
Handler = Callable[[Reader, Element], Leave | None]


def do_nothing() -> None:
    """What is to be done when an element without a meaning of its own has been walked."""


def walk(reader: Reader, root: Element, handlers: Mapping[str, Handler[Reader]]) -> None:
    """Calls a handler for each element in `root`, in document order. One without a handler is walked through."""
    waiting: list[tuple[Iterator[Element], Leave]] = [(iter(root), do_nothing)]
    get = handlers.get
    while waiting:
        children, leave = waiting[-1]
        for child in children:
            handler = get(child.tag)
            if handler is None:
                if len(child):
                    waiting.append((iter(child), do_nothing))
                    break
            else:
                then = handler(reader, child)
                if then is not None:
                    waiting.append((iter(child), then))
                    break
        else:
            waiting.pop()
            leave()


def walk_mixed(
    reader: Reader, roots: Iterable[Element], handlers: Mapping[str, Handler[Reader]], say: Callable[[str], None]
) -> None:
    """As `walk`, over elements side by side, where text stands between elements: `say` gets each text within them."""
    waiting: list[tuple[Iterator[Element], Leave, str | None]] = [(iter(roots), do_nothing, None)]
    get = handlers.get
    while waiting:
        children, leave, tail = waiting[-1]
        for child in children:
            handler = get(child.tag, _enter_element)
            then = handler(reader, child)
            if then is not None:
                text = child.text
                if text:
                    say(text)
                waiting.append((iter(child), then, child.tail))
                break
            if child.tail:
                say(child.tail)
        else:
            waiting.pop()
            leave()
            if tail:
                say(tail)


def _enter_element(reader: object, node: Element) -> Leave:
    return do_nothing


def skip(reader: object, node: Element) -> None:
    """Nothing in the element is content."""
