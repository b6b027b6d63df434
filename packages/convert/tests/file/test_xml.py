from collections.abc import Callable, Mapping

import pytest

from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.limits import MAX_DEPTH
from webquarry_convert.file.xml import parse, resolve_references, walk

BOMB = b'<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>'


class Told:
    """Records the events of a walk."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.events.append(f"<{tag}{''.join(f' {name}={value}' for name, value in attributes.items())}>")

    def end(self, tag: str) -> None:
        self.events.append(f"</{tag}>")

    def data(self, text: str) -> None:
        self.events.append(text)


def told(body: bytes, size: int = 7) -> str:
    """Return the events of a walk over a part that arrives in chunks of `size` bytes."""
    it = Told()
    walk((body[at : at + size] for at in range(0, len(body), size)), it)
    return "".join(it.events)


READERS = pytest.mark.parametrize("read", [parse, lambda body: told(body, 100_000)], ids=["parse", "walk"])
Read = Callable[[bytes], object]


def reason(body: bytes, read: Read = parse) -> str | None:
    with pytest.raises(ConversionFailed) as caught:
        read(body)
    return caught.value.reason


def nested(depth: int) -> bytes:
    return b"<a>" * depth + b"</a>" * depth


def test_parsed_tree_contains_only_elements() -> None:
    root = parse(b"  <?xml version='1.0'?><a><!-- c --><?p i?>x<b k='v'>y</b>z</a>")
    assert [child.tag for child in root] == ["b"]
    assert "".join(root.itertext()) == "xyz"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "iso-8859-1", "windows-1251"])
def test_encodings_are_read_as_declared(encoding: str) -> None:
    text = "Ж" if encoding == "windows-1251" else "é"
    declared = "utf-16" if encoding.startswith("utf-16") else encoding.removesuffix("-sig")
    body = f'<?xml version="1.0" encoding="{declared}"?><a>{text}</a>'.encode(encoding)
    assert parse(body).text == text
    assert told(body) == f"<a>{text}</a>"


@READERS
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
def test_dtd_is_rejected(body: bytes, read: Read) -> None:
    assert reason(body, read) == "corrupt"


def test_attack_with_many_large_entities_is_rejected() -> None:
    assert reason(b'<!DOCTYPE a [<!ENTITY q "' + b"q" * 50_000 + b'">]><a>' + b"&q;" * 20_000 + b"</a>") == "limits"


@READERS
@pytest.mark.parametrize(
    "body", [b"", b" ", b"<a>", b"<a></b>", b"<a>\0</a>", b"x", b"<a b='&nope;'/>", b"<a/><a/>", b"\xff\xfe<"]
)
def test_malformed_xml_is_rejected(body: bytes, read: Read) -> None:
    assert reason(body, read) == "corrupt"


@READERS
def test_unknown_encoding_is_rejected(read: Read) -> None:
    assert reason(b"<?xml version='1.0' encoding='x-nothing'?><a/>", read) == "corrupt"


def test_deeply_nested_content_is_rejected() -> None:
    assert parse(nested(MAX_DEPTH)).tag == "a"
    assert reason(nested(MAX_DEPTH + 1)) == "limits"
    assert reason(nested(60_000)) == "limits"


def test_overlong_text_is_rejected() -> None:
    assert reason(b"<a>" + b"x" * 11_000_000 + b"</a>") == "limits"


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_walk_visits_elements_and_texts(size: int) -> None:
    body = b"\n <?xml version='1.0'?><a xmlns='n' k='v'><!-- c --><?p i?>x<b/>&lt;<![CDATA[<z>]]></a>"
    assert told(body, size) == "<{n}a k=v>x<{n}b></{n}b><<z></{n}a>"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("a &amp; b &lt;&gt;&quot;&apos;", "a & b <>\"'"),
        ("&#65;&#x42;&#x1F600;", "AB😀"),
        ("&#0;&#xD800;&#x110000;&#9999999;", "\ufffd\ufffd\ufffd\ufffd"),
        ("&nbsp; &; & &#; &amp", "&nbsp; &; & &#; &amp"),
        ("&amp;amp;", "&amp;"),
    ],
)
def test_character_references_are_resolved(text: str, meant: str) -> None:
    assert resolve_references(text) == meant
