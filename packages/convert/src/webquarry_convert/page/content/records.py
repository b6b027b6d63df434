"""Author names and dates of posts, comments and listing rows.

Such facts repeat in the same position, and blocks in elements with the same tags and classes form a series. A series
divides the page into stretches. If enough stretches contain kept blocks, the stretches are posts or rows, and the
series' names and dates are kept, too. In posts whose blocks scored too low, the blocks in the same position as kept
blocks of other posts are kept.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, compress, pairwise

from webquarry_convert.page.content.blocks import Block, Blocks
from webquarry_convert.page.content.selection import Selection
from webquarry_convert.page.content.siblings import SeriesKey
from webquarry_convert.page.head.title import make_key
from webquarry_convert.tree import Node, Tree

MIN_SERIES = 2
SHARE = 0.4
"""Minimum share of stretches that must contain a kept text."""
LIKELY = 128
"""Minimum chance, of 255, of a forum. On a forum, one kept post is enough."""
MIN_TOKENS = 3
"""Minimum number of tokens in a text that fills a stretch."""
MAX_DAY = 16
MAX_NAME = 12
"""Maximum number of tokens in a text that states a date or begins with a name."""
MAX_NAME_CHARS = 120
MAX_WITHIN = 40
"""Number of blocks after a name or date that are searched for the text that belongs to it."""
MAX_MARKS = 200
"""Number of characters that are read from an attribute."""
LEVELS = 3
"""Number of ancestors that may be marked as a name."""
NEAR = 10
"""Distance, in blocks, within which the same text is not kept twice."""
_NAMING = re.compile(
    r"(?<![a-z])(?:author|creator|poster|nick(?:name)?|username|display ?name|userlink|membername|byline|h-?card"
    r"|p-author|posted-?by|autor|auteur|verfasser)(?![a-z])"
)
_OWN_NAMING = re.compile(rf"{_NAMING.pattern}|(?<![a-z])(?:user|member)(?![a-z])")
"""Matches names of a name's parent, or of an element that contains only the name."""
_RANK = re.compile(r"(?<![a-z])(?:user|member|poster|author|profile) ?(?:title|rank)(?![a-z])")
"""Matches names of the element that follows an unmarked name."""
_NO_NAME = re.compile(r"title|rank|count|avatar|joined|status|stats|posts|role|badge|signature|online$")
_NO_DAY = re.compile(r"profile|joined|extra|user-?info|register|edit")
_NO_DAY_TEXT = re.compile(
    r"(?:last )?(?:edited|modified|updated|seen|active)|joined|member since|founded|registered|registriert|dabei seit"
    r"|bearbeitet|geändert|inscri|modifi"
)
"""Matches the beginning of a text with a date other than the post's."""
_PROFILE = re.compile(
    r"/(?:u|users?|members?|profiles?|people|author|membre|mitglied|perfil)/"
    r"|member(?:list)?\.php|profile|userinfo|user\.php|[?&](?:u|uid|user|memberid)="
)
_WORDS = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}")
_MARKING = ("class", "itemprop", "rel")


def _make_finder(marks: re.Pattern[str]) -> Callable[[str], bool]:
    """Return a function that checks whether an attribute's value contains one of the marks."""

    @lru_cache(maxsize=2048)
    def has_marks(value: str) -> bool:
        return marks.search(" ".join(_WORDS.findall(value)).lower()) is not None

    return has_marks


_is_naming = _make_finder(_NAMING)
_is_own_naming = _make_finder(_OWN_NAMING)
_is_rank = _make_finder(_RANK)
_is_no_name = _make_finder(_NO_NAME)
_is_no_day = _make_finder(_NO_DAY)
_FACTS = ("day", "name")


def keep_records(selection: Selection) -> None:
    """Keep the dates and names that repeat next to kept blocks, and the blocks of posts between kept posts.

    Sets whether the page is a thread: a forum page, or a page whose blocks have both names and dates.
    """
    is_forum = selection.get_chance("forum") >= LIKELY
    facts = _find_facts(selection, is_forum=is_forum)
    texts = _list_texts(selection, set(chain.from_iterable(facts.values())))
    series = _sort_series(selection, facts)
    days = set(chain.from_iterable([numbers for what, numbers in series if what == "day"]))
    least = 1 if is_forum else MIN_SERIES
    seen: set[int | str] = set()
    for what, numbers in series:
        holds = _find_filled(numbers, texts)
        if sum(holds) >= max(least, SHARE * len(numbers)):
            seen.add(what)
            if not all(holds):
                _fill_records(selection, numbers, holds)
            earlier = texts if what == "day" and is_forum else None
            _keep_series(selection, numbers, days, earlier)
    selection.is_thread = is_forum or len(seen) == len(_FACTS)


def _sort_series(selection: Selection, facts: Mapping[SeriesKey, list[int]]) -> list[tuple[int | str, list[int]]]:
    """Return the series of facts with their type.

    Dates come first. Series of the same type are sorted by the number of kept members.
    """
    kept = selection.kept
    series = [(key[0], numbers) for key, numbers in facts.items() if len(numbers) >= MIN_SERIES]
    return sorted(series, key=lambda each: (each[0], -sum([kept[number] for number in each[1]]), each[1][0]))


def _find_facts(selection: Selection, *, is_forum: bool) -> dict[SeriesKey, list[int]]:
    """Return the page's dates and names by type and position. Each key begins with one of `_FACTS`."""
    blocks = selection.blocks
    found: defaultdict[SeriesKey, list[int]] = defaultdict(list)
    for number, is_dated in zip(selection.judged, selection.get_column("day"), strict=True):
        block = blocks.all[number]
        if block.tokens > MAX_DAY:
            continue
        if _is_day(blocks.tree, block) if is_dated else _is_short_name(blocks.tree, block, is_forum=is_forum):
            found["day" if is_dated else "name", *blocks.series.make_key(block.place)].append(number)
    return found


def _is_day(tree: Tree, block: Block) -> bool:
    """Return whether the date in a text says when something was written."""
    return not (_NO_DAY_TEXT.match(block.text.lower()) or _is_around_marked(tree, block.place, _is_no_day))


def _is_short_name(tree: Tree, block: Block, *, is_forum: bool) -> bool:
    if block.tokens > MAX_NAME or block.size > MAX_NAME_CHARS:
        return False
    return _is_name(tree, block) or (is_forum and _is_before_rank(tree, block))


def _list_texts(selection: Selection, facts: set[int]) -> list[int]:
    """Return the kept blocks that fill the stretches between facts, or [] if there are no facts."""
    if not facts:
        return []
    kept, found = selection.kept, selection.blocks.all
    return [
        number
        for number in selection.judged
        if kept[number] and number not in facts and found[number].tokens >= MIN_TOKENS
    ]


def _keep_series(selection: Selection, numbers: list[int], days: set[int], earlier: list[int] | None) -> None:
    """Keep those members of a series whose fact no kept text nearby contains.

    days: the dates of all series. earlier: the kept blocks whose preceding dates belong to other posts.
    """
    same = set(numbers) if _do_differ(selection.blocks, numbers) else set()
    for number in numbers:
        others = same if earlier is None else same | _find_earlier(number, days, earlier)
        if not selection.kept[number] and not _is_said_near(selection, number, days, others):
            selection.keep((number,))


def _fill_records(selection: Selection, numbers: list[int], holds: list[bool]) -> None:
    """In records without kept text, keep the blocks that have the same position as kept blocks in other records."""
    blocks = selection.blocks
    ends = [*numbers[1:], len(selection.kept)]
    stretches = [range(start + 1, min(end, start + MAX_WITHIN)) for start, end in zip(numbers, ends, strict=True)]
    keys = _collect_positions(selection, compress(stretches, holds))
    for stretch, is_filled in zip(stretches, holds, strict=True):
        if not is_filled:
            selection.keep([number for number in stretch if blocks.series.make_key(blocks.all[number].place) in keys])


def _collect_positions(selection: Selection, records: Iterable[range]) -> set[SeriesKey]:
    """Return the positions of kept texts in records, as keys of the series. Texts of few words are left out."""
    blocks = selection.blocks
    texts = [blocks.all[number] for record in records for number in record if selection.kept[number]]
    return {blocks.series.make_key(text.place) for text in texts if text.tokens >= MIN_TOKENS}


def _find_filled(numbers: list[int], texts: list[int]) -> list[bool]:
    """Return, for each member of a series, whether a kept text is between it and the next member.

    The last stretch is assumed to be as long as the longest stretch.
    """
    longest = max([after - before for before, after in pairwise(numbers)])
    ends = [*numbers[1:], numbers[-1] + longest]
    found = []
    for start, end in zip(numbers, ends, strict=True):
        at = bisect_right(texts, start)
        found.append(at < len(texts) and texts[at] < end)
    return found


def _do_differ(blocks: Blocks, numbers: list[int]) -> bool:
    """Return whether the blocks have different texts, unlike a rank such as `Member` below each name."""
    first = blocks.all[numbers[0]].text
    return any(blocks.all[number].text != first for number in numbers)


def _find_earlier(number: int, days: set[int], texts: list[int]) -> set[int]:
    """Return the dates that are followed by another date and then a kept text. They belong to other posts."""
    at = bisect_left(texts, number)
    last = texts[at - 1] if at else -1
    return {near for near in range(max(0, number - NEAR), last) if near in days}


def _is_said_near(selection: Selection, number: int, days: set[int], others: set[int]) -> bool:
    """Return whether a kept text nearby contains the same fact.

    For example, a kept text `by Ann, 3 May` contains one of the `days`. others: numbers of names and dates of other
    posts. The same name in another post does not count.
    """
    kept, found = selection.kept, selection.blocks.all
    key = make_key(found[number].text)
    for near in range(max(0, number - NEAR), min(len(kept), number + NEAR)):
        if near != number and near not in others and kept[near] and found[near].size < 2 * MAX_NAME_CHARS:
            near_key = make_key(found[near].text)
            if near_key == key or (near in days and key in near_key):
                return True
    return False


def _is_name(tree: Tree, block: Block) -> bool:
    """Return whether a text is marked as an author's name, or links to a profile page."""
    own = tree[block.place]
    children = own.children[block.first : block.last]
    marked = _find_marked(children)
    if marked is not None:
        return _may_be_name(block.text) and not _is_marked(marked, _is_no_name)
    if not _stands_as_name(own, tree[own.up] if own.up >= 0 else own):
        return False
    is_said = block.text[-1] in ":：" and _has_name_and_verb(children)
    return _may_be_name(block.text[:-1] if is_said and block.tokens > 1 else block.text)


def _stands_as_name(own: Node, around: Node) -> bool:
    """Return whether a text's element or its parent is marked as a name, and as nothing else."""
    if not _is_marked(own, _is_own_naming) and not _is_marked(around, _is_naming):
        return False
    return not _is_marked(own, _is_no_name) and not _is_marked(around, _is_no_name)


def _find_marked(children: Sequence[Node | str]) -> Node | None:
    """Return the outermost leading element that is marked as a name or links to a profile page.

    Only first children are examined.
    """
    inner = _find_first_element(children)
    for _ in range(LEVELS + 1):
        if inner is None:
            break
        href = inner.attributes.get("href") if inner.tag == "a" else None
        if (href and _PROFILE.search(href[:MAX_MARKS].lower())) or _is_marked(inner, _is_own_naming):
            return inner
        inner = _find_first_element(inner.children)
    return None


def _is_before_rank(tree: Tree, block: Block) -> bool:
    """Return whether an unmarked text directly precedes an element that is marked as an author's rank."""
    own = tree[block.place]
    is_followed = own.end < len(tree) and tree[own.end].up == own.up
    return is_followed and _is_marked(tree[own.end], _is_rank) and _may_be_name(block.text)


def _find_first_element(children: Sequence[Node | str]) -> Node | None:
    for child in children:
        if isinstance(child, Node):
            return child
    return None


def _may_be_name(text: str) -> bool:
    """Return whether a text contains letters, is not a label and does not begin with a count."""
    return text[-1] not in ":：" and any(map(str.isalpha, text)) and not (text[0].isdigit() and " " in text)


def _has_name_and_verb(children: Sequence[Node | str]) -> bool:
    """Return whether a text that ends with a colon introduces an author: `<b>Ann</b> <span>says:</span>`."""
    return sum(isinstance(child, Node) and bool(child.children) for child in children) > 1


def _is_around_marked(tree: Tree, place: int, says: Callable[[str], bool]) -> bool:
    for _ in range(LEVELS):
        if _is_marked(tree[place], says):
            return True
        place = tree[place].up
        if place < 0:
            break
    return False


def _is_marked(node: Node, says: Callable[[str], bool]) -> bool:
    attributes = node.attributes
    if not attributes:
        return False
    for name in _MARKING:
        value = attributes.get(name)
        if value and says(value[:MAX_MARKS]):
            return True
    return False
