import tracemalloc

import pytest

from webquarry.convert.file.limits import MAX_DEPTH
from webquarry.convert.file.xml import events, parse
from webquarry.errors import ConversionFailed

NS = "{urn:a}"
ROWS = b'<t xmlns="urn:a" name="T">' + b"<r><c>1</c><c>2</c></r>" * 3 + b"</t>"
BOMB = b'<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>'


def reason(body: bytes) -> str | None:
    """Why both ways of reading refuse it."""
    with pytest.raises(ConversionFailed) as whole:
        parse(body)
    with pytest.raises(ConversionFailed) as streamed:
        for _ in events((body[:20], body[20:]), "a", "r"):
            pass
    assert whole.value.reason == streamed.value.reason
    return whole.value.reason


def nested(depth: int) -> bytes:
    return b"<a>" * depth + b"</a>" * depth


def test_a_tree_holds_elements_only() -> None:
    root = parse(b"  <?xml version='1.0'?><a><!-- c --><?p i?>x<b k='v'>y</b>z</a>")
    assert [child.tag for child in root] == ["b"]
    assert "".join(root.itertext()) == "xyz"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "iso-8859-1", "windows-1251"])
def test_encodings_are_read_as_declared(encoding: str) -> None:
    text = "Ж" if encoding == "windows-1251" else "é"
    declared = "utf-16" if encoding.startswith("utf-16") else encoding.removesuffix("-sig")
    body = f'<?xml version="1.0" encoding="{declared}"?><a>{text}</a>'.encode(encoding)
    assert parse(body).text == text
    assert [element.text for event, element in events((body[:7], body[7:]), "a") if event == "end"] == [text]


def test_events_tell_starts_and_ends_in_order() -> None:
    told = []
    for event, element in events(ROWS, f"{NS}t", f"{NS}r"):
        name = element.tag.removeprefix(NS)
        told.append((event, name, element.get("name") or "".join(element.itertext()) if event == "end" else ""))
    assert told == [("start", "t", "")] + [("start", "r", ""), ("end", "r", "12")] * 3 + [("end", "t", "T")]


def test_pieces_may_be_cut_anywhere() -> None:
    whole = [(event, element.tag, element.get("name")) for event, element in events(ROWS, f"{NS}t", f"{NS}r")]
    for size in range(1, len(ROWS)):
        pieces = [ROWS[at : at + size] for at in range(0, len(ROWS), size)]
        assert [(event, element.tag, element.get("name")) for event, element in events(pieces, f"{NS}t", f"{NS}r")] == (
            whole
        )


def test_what_has_been_told_is_freed() -> None:
    seen = [
        (len(element), element.getprevious() is not None and len(element.getprevious()), len(element.getparent()))
        for event, element in events(ROWS, f"{NS}r")
        if event == "end"
    ]
    assert seen[-1] == (2, 0, 2)  # its own cells, a row before it that is empty, and no other


def test_a_stream_of_many_rows_does_not_grow() -> None:
    head, rows, tail = b"<t>", b"<r><c>1</c></r>" * 1000, b"</t>"
    tracemalloc.start()
    try:
        count = sum(event == "end" for event, _ in events((head, *[rows] * 30, tail), "r"))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 30_000
    assert peak < 2_000_000


@pytest.mark.parametrize(
    "body",
    [
        BOMB + b"<a>&c;</a>",
        BOMB + b'<a k="&c;"/>',
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
        b'<!DOCTYPE a SYSTEM "http://127.0.0.1:9/a.dtd"><a/>',
        b"<!DOCTYPE a><a/>",
        ('<?xml version="1.0" encoding="utf-16"?>' + BOMB.decode() + "<a>&c;</a>").encode("utf-16"),
    ],
)
def test_a_dtd_is_refused(body: bytes) -> None:
    assert reason(body) == "corrupt"


def test_an_attack_by_many_large_entities_is_refused() -> None:
    assert reason(b'<!DOCTYPE a [<!ENTITY q "' + b"q" * 50_000 + b'">]><a>' + b"&q;" * 20_000 + b"</a>") == "limits"


@pytest.mark.parametrize(
    "body", [b"", b" ", b"<a>", b"<a></b>", b"<a>\0</a>", b"x", b"<a b='&nope;'/>", b"<a/><a/>", b"\xff\xfe<"]
)
def test_what_is_not_well_formed_is_refused(body: bytes) -> None:
    assert reason(body) == "corrupt"


def test_an_unknown_encoding_is_refused() -> None:
    assert reason(b"<?xml version='1.0' encoding='x-nothing'?><a/>") == "corrupt"


def test_what_is_nested_too_deeply_is_refused() -> None:
    assert parse(nested(MAX_DEPTH)).tag == "a"
    with pytest.raises(ConversionFailed) as caught:
        parse(nested(MAX_DEPTH + 1))
    assert caught.value.reason == "limits"
    assert reason(nested(60_000)) == "limits"


def test_a_text_without_end_is_refused() -> None:
    assert reason(b"<a>" + b"x" * 11_000_000 + b"</a>") == "limits"
