"""Walks untrusted XML without recursion, with a handler for each tag.

A handler takes its reader and an element. It returns a function to be called after the children, or None to skip them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from webquarry_convert.file.xml import Element

Leave = Callable[[], None]
Reader = TypeVar("Reader")
Handler = Callable[[Reader, Element], Leave | None]


def do_nothing() -> None:
    """Do nothing after the element's children."""


def walk(reader: Reader, root: Element, handlers: Mapping[str, Handler[Reader]]) -> None:
    """Call a handler for each element in `root`, in document order.

    For an element without a handler, only the children are visited.
    """
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
    """Walk adjacent elements like `walk`, and call `say` for each text between elements."""
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
    """Skip an element without content."""
