"""The headers of a request, as the API and the tool server read them."""

import pytest

from webquarry.api.head import RequestHead
from webquarry.mcp.direct import RequestHeaders


class Head(RequestHead):
    __slots__ = ()
    READ = frozenset({b"accept", b"origin"})


def test_credentials_are_kept_in_all_their_values() -> None:
    head = Head([(b"authorization", b"Bearer a"), (b"x-api-key", b"b"), (b"authorization", b"Basic c")])
    assert (head.authorization, head.api_keys) == (["Bearer a", "Basic c"], ["b"])


def test_values_of_a_repeated_header_are_joined_and_reported() -> None:
    head = Head([(b"accept", b"a/b"), (b"origin", b"o"), (b"accept", b"c/d"), (b"accept", b"e\xe9"), (b"other", b"x")])
    assert head.texts == {b"accept": "a/b, c/d, e\xe9", b"origin": "o"}
    assert head.repeated == {b"accept"}


@pytest.mark.parametrize("given", ["a", "A-b_9", "a" * 64])
def test_a_request_keeps_the_id_sent_by_its_caller(given: str) -> None:
    assert Head([(b"x-request-id", given.encode())]).request_id == given


@pytest.mark.parametrize("given", ["", "a" * 65, "a b", "a\n", "é"])
def test_a_request_without_a_usable_id_gets_one(given: str) -> None:
    made = {Head([(b"x-request-id", given.encode())]).request_id, Head([]).request_id}
    assert len(made) == 2
    assert all(each.startswith("req_") and len(each) == 24 for each in made)


@pytest.mark.parametrize(
    ("fields", "is_unusual"),
    [
        ([(b"mcp-method", b"tools/call")], False),
        ([(b"accept", b"a/b"), (b"accept", b"c/d")], False),
        ([(b"mcp-method", b"tools/call"), (b"mcp-method", b"tools/call")], True),
        ([(b"mcp-name", b"search"), (b"mcp-name", b"maps")], True),
        ([(b"mcp-param-q", b"coffee")], True),
    ],
)
def test_headers_that_only_the_sdk_reads_are_unusual(fields: list[tuple[bytes, bytes]], is_unusual: bool) -> None:
    assert RequestHeaders(fields).is_unusual is is_unusual
