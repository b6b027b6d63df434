"""Writes lines whose emphasis CommonMark might not parse, token by token.

`*` is parsed as emphasis only next to certain characters: `a*"b"*` shows its asterisks. In such cases, the punctuation
is moved out of the emphasis (`a"*b*"`), or the emphasis is dropped.
"""

import re
from unicodedata import category

from webquarry_convert.text import escape
from webquarry_convert.write.pieces import Mark, collapse_space


class Run:
    """The line that is being written, as tokens.

    Emphasis tokens are removed again if they would not be parsed as emphasis.
    """

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._tokens: list[str] = []
        self._marks: list[Mark] = []  # open marks, outermost first; the last `_waiting` of them are not written yet
        self._places: list[int] = []  # positions of the written marks in the tokens
        self._waiting = 0
        self._links = 0
        self._spaced = False
        self._closed: list[tuple[int, int]] = []  # emphasis that ended with the last token, as pairs of token positions
        self._is_text = False  # whether the last token, apart from marks, is text from the page

    def text(self, raw: str) -> None:
        body = collapse_space(raw)
        if not body:
            self._spaced = self._spaced or raw[:1].isspace()
            return
        if raw[0].isspace():
            self._spaced = True
        body = escape.label(body) if self._links else escape.part(body)
        body = self._lead(body, movable=True)
        self._tokens.append(body)
        self._is_text = True
        self._spaced = raw[-1].isspace()

    def written(self, markdown: str) -> None:
        self._lead(markdown, movable=False)
        if markdown[0] == "[":
            self._guard_bang()
        elif markdown[0] == "`" and self._last() == "`":
            self._tokens.append(" ")  # a parser would read adjacent code spans as one span that contains backticks
        self._tokens.append(markdown)
        self._is_text = False

    def open(self, mark: Mark) -> None:
        self._marks.append(mark)
        self._waiting += 1
        self._links += mark.is_link

    def close(self) -> None:
        mark = self._marks.pop()
        self._links -= mark.is_link
        if self._waiting:
            self._waiting -= 1
            return
        place = self._places.pop()
        if mark.is_link:
            self._closed = []
            self._is_text = False
            self._tokens.append(mark.closing)
        elif self._tokens[place]:
            self._closed.append((place, len(self._tokens)))
            self._tokens.append(mark.closing)

    def write_break(self) -> None:
        """End the line. Within a link, write a space instead, because a label is one line."""
        if self._links:
            self._spaced = True
            return
        marks = self._marks.copy()
        self._end_line()
        for mark in marks:
            self.open(mark)

    def finished(self) -> list[str]:
        self._end_line()
        return self._lines

    def _end_line(self) -> None:
        while self._marks:
            self.close()
        self._lines.append("".join(self._tokens))
        self._tokens = []
        self._closed = []
        self._spaced = self._is_text = False

    def _lead(self, body: str, *, movable: bool) -> str:
        """Write the space and the waiting marks before `body`.

        Return the part of `body` that is still to be written.
        """
        if self._spaced:
            if self._tokens:
                self._tokens.append(" ")
                self._closed = []
            self._spaced = False
        if self._waiting or self._closed:
            opening = self._marks[len(self._marks) - self._waiting :]
            ahead = plain = "[" if any(mark.is_link for mark in opening) else body[0]
            if len({mark.opening[0] for mark in opening}) > 1:
                ahead = "~"  # if there are different marks, such as `**~~`, the first is followed by the second
            can_open = True
            if self._closed:
                if self._open_again(opening):
                    opening = opening[1:]
                else:
                    can_open = self._settle(ahead, plain, opening)
            for mark in opening:
                if mark.is_link:
                    self._guard_bang()
                    self._places.append(len(self._tokens))
                    self._tokens.append("[")
                elif not can_open:
                    self._places.append(len(self._tokens))
                    self._tokens.append("")
                else:
                    body, can_open = self._open_emphasis(mark, body, ahead, movable=movable)
            self._waiting = 0
            self._closed = []
        return body

    def _open_emphasis(self, mark: Mark, body: str, ahead: str, *, movable: bool) -> tuple[str, bool]:
        """Write the opening mark in a position where CommonMark parses it.

        If necessary, this is after leading punctuation of `body`. body: the text that follows. ahead: its first
        character, or the mark before it. Returns the part of `body` that is still to be written, and whether further
        marks may open here.
        """
        tokens = self._tokens
        before = self._last()
        sign = mark.opening
        is_first = not self._places or self._places[-1] != len(tokens) - 1
        if is_first and before and not before.isspace() and _is_punctuation(ahead) and not _is_punctuation(before):
            moved = _LEADING.match(body) if movable and ahead == body[0] else None
            if moved is not None and moved.end() < len(body) and moved[0][-1] != "\\":
                tokens.append(moved[0])
                body = body[moved.end() :]
            else:
                sign = ""
        elif is_first and before and not before.isspace() and self._is_closing(sign):
            sign = ""
        self._places.append(len(tokens))
        tokens.append(sign)
        return body, bool(sign)

    def _is_closing(self, sign: str) -> bool:
        """Return whether a mark directly after text would close the surrounding emphasis instead of opening one."""
        return any(self._tokens[place][:1] == sign[0] for place in self._places)

    def _open_again(self, opening: list[Mark]) -> bool:
        """Return whether the emphasis that just ended begins again. If it does, reopen it."""
        place, closing = self._closed[0]
        if len(self._closed) > 1 or not opening or opening[0].is_link:
            return False
        if closing != len(self._tokens) - 1 or self._tokens[closing] != opening[0].closing:
            return False
        self._tokens.pop()
        self._places.append(place)
        return True

    def _settle(self, ahead: str, plain: str, opening: list[Mark]) -> bool:
        """Keep the emphasis that ended here only if CommonMark parses its closing mark before the next character.

        The next character is `ahead` if marks open here, otherwise `plain`. Returns False if no mark may open here,
        because it would merge with the closing mark: `*a*` directly before `*b*` reads `*a**b*`.
        """
        tokens = self._tokens
        closing = self._closed[0][1]
        emphasis = sum(1 for mark in opening if not mark.is_link)
        before = self._last(closing)
        if len({tokens[last] for _, last in self._closed}) > 1:
            before = "~"
        if emphasis and emphasis == len(self._closed) == 1 and not _is_punctuation(before + ahead):
            return True
        if _is_punctuation(before) and not _is_punctuation(plain):
            inner = tokens[closing - 1]
            moved = _TRAILING.search(inner) if len(self._closed) == 1 and self._is_text and inner else None
            if moved is not None and moved.start() > 0 and "\\" not in moved[0]:
                tokens[closing - 1] = inner[: moved.start()]
                tokens.append(moved[0])
            else:
                for first, last in self._closed:
                    tokens[first] = tokens[last] = ""
                outermost = self._closed[-1][0]
                inner = next((tokens[at] for at in range(outermost, closing) if tokens[at]), "")
                if self._last(outermost) == inner[:1] == "`":
                    tokens[outermost] = " "
        return not emphasis

    def _guard_bang(self) -> None:
        """Prevent `!` before a link from turning the link into an image."""
        if self._last() == "!":
            at = len(self._tokens) - 1
            while not self._tokens[at]:
                at -= 1
            self._tokens[at] = self._tokens[at][:-1] + "\\!"

    def _last(self, end: int | None = None) -> str:
        """Return the last character before a token position."""
        tokens = self._tokens
        at = (len(tokens) if end is None else end) - 1
        while at >= 0 and not tokens[at]:
            at -= 1
        return tokens[at][-1] if at >= 0 else ""


_LEADING = re.compile(r"[\W_]+")
_TRAILING = re.compile(r"[\W_]+$")


def _is_punctuation(signs: str) -> bool:
    """Return whether any of the characters is punctuation or a symbol."""
    return not signs.isalnum() and any(category(sign)[0] in "PS" for sign in signs)
