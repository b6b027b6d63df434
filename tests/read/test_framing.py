import json
import random
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.pumps import judge
from support.framed import wire
from webquarry.core.errors import ProviderError
from webquarry.read import counting
from webquarry.read.framing import (
    Block,
    Reply,
    block_for,
    blocks_of,
    chunks_of,
    guarded_json,
    replies_of,
    reply_to,
    unguarded,
)

REVIEWS = [
    ["wrb.fr", "x1DgCd", '[["token"],[1,2],30]', None, None, None, "generic"],
    ["di", 28],
    ["af.httprm", 28, "9"],
]
END = [["e", 4, None, None, 140]]
PAGE = """<script nonce="x">var AF_initDataKeys = ["ds:0","ds:1"]; var AF_dataServiceRequests = {'ds:0' : {id:'xY2Ddd',\
request:["aapb"]},'ds:1' : {id:'x1DgCd',request:["aapb",[10],2,null]}}; var AF_initDataChunkQueue = [];
var AF_initDataCallback; AF_initDataCallback = function(params) {}</script>
<script>AF_initDataCallback({key: 'ds:1', hash: '3', data:[[null,"a\tb, sideChannel: {}"]], sideChannel: {}});</script>
<script>AF_initDataCallback({key: 'ds:0', hash: '2', data:[["id","</b>"],null,4.5], sideChannel: {}});</script>
<script>AF_initDataCallback({key: 'ds:2', isError:  false , hash: '4', data:function(){return ["old"]
}});</script>"""


def chunked(*chunks: Any) -> str:
    """Return chunks as a site sends them.

    The lengths count UTF-16 units with the surrounding line ends; here they are wrong.
    """
    return ")]}'\n\n" + "".join(f"{random.randint(1, 99999)}\n{json.dumps(chunk)}\n" for chunk in chunks)


class TestGuard:
    @pytest.mark.parametrize(
        "body", [")]}'\n{}", ")]}',\n{}", ")]}'{}", "\n )]}'\n\n{}", "\ufeff)]}'\n{}", "for (;;);{}", "while(1); {}"]
    )
    def test_json_after_the_guard_is_read(self, body: str) -> None:
        assert unguarded(body.encode()) == b"{}"
        assert guarded_json(wire(body), "Maps") == {}

    def test_missing_guard_is_detected(self) -> None:
        assert unguarded(b'{"a": 1}') is None
        assert guarded_json(wire('{"a": 1}'), "Maps", is_guarded=None) == {"a": 1}
        with pytest.raises(ProviderError, match=r"^Maps sent a response that is not data\.$") as caught:
            guarded_json(wire('{"a": 1}'), "Maps")
        assert caught.value.reason == "changed"

    @pytest.mark.parametrize("body", [")]}'", ")]}'\n[1,", ")]}'\n<html>", ")]}'\n" + "[" * 100_000])
    def test_damaged_json_is_a_changed_response(self, body: str) -> None:
        with pytest.raises(ProviderError, match="is not JSON") as caught:
            guarded_json(wire(body), "Maps")
        assert caught.value.reason == "changed"

    def test_block_page_is_reported_as_blocked(self) -> None:
        with pytest.raises(ProviderError) as caught:
            guarded_json(wire("<html><title>Sorry</title><form id=captcha-form>", "https://x.example/sorry/index"), "M")
        assert caught.value.reason == "blocked"


class TestCalls:
    def test_chunks_are_read_whatever_their_lengths_say(self) -> None:
        assert chunks_of(chunked(REVIEWS, END).encode()) == [REVIEWS, END]

    def test_single_array_without_lengths_is_read(self) -> None:
        body = ")]}'\n\n" + json.dumps(REVIEWS)
        assert reply_to(wire(body), "x1DgCd", "The store") == Reply("x1DgCd", [["token"], [1, 2], 30])
        assert reply_to(wire(json.dumps([REVIEWS])), "x1DgCd", "The store").content == [["token"], [1, 2], 30]

    def test_each_call_has_its_reply(self) -> None:
        other = [["wrb.fr", "xY2Ddd", None, None, None, [5], "1"]]
        replies = replies_of(wire(chunked(REVIEWS, other, END)), "The store")
        assert [(reply.call, reply.code, reply.is_error) for reply in replies] == [
            ("x1DgCd", None, False),
            ("xY2Ddd", 5, True),
        ]
        assert reply_to(wire(chunked(REVIEWS, other)), "xY2Ddd", "The store") == Reply("xY2Ddd", None, 5, is_null=True)

    def test_error_of_the_request_is_returned_for_each_call(self) -> None:
        error = [["er", None, None, None, None, 400, None, None, None, 3]]
        assert reply_to(wire(chunked(error)), "x1DgCd", "The store") == Reply("", None, 3)
        assert reply_to(wire(chunked([["er", None, None, None, None, 400]])), "x1DgCd", "The store").code == 400

    def test_content_takes_precedence_over_an_error(self) -> None:
        error = [["er", None, None, None, None, 400, None, None, None, 3]]
        assert reply_to(wire(chunked(error, REVIEWS)), "x1DgCd", "The store").content is not None

    @pytest.mark.parametrize(
        "entry",
        [
            ["wrb.fr", "x1DgCd", "[1,", None],
            ["wrb.fr", "x1DgCd", 7],
            ["wrb.fr", "x1DgCd"],
            ["wrb.fr", "x1DgCd", None, None, None, "5"],
            ["wrb.fr", "other", "[1]"],
            ["wrb.fr", None, "[1]"],
            ["di", 28],
            [],
            "wrb.fr",
        ],
    )
    def test_unreadable_reply_is_a_changed_response(self, entry: Any) -> None:
        with pytest.raises(ProviderError, match=r"^The store sent no response to this request\.$") as caught:
            reply_to(wire(chunked([entry])), "x1DgCd", "The store")
        assert caught.value.reason == "changed"

    def test_truncated_chunk_is_counted_and_the_others_are_read(self) -> None:
        with counting() as losses:
            assert chunks_of((chunked(REVIEWS) + "120\n[[1, 2").encode()) == [REVIEWS]
        assert losses == {"chunk": 1}

    @given(st.binary(max_size=60))
    def test_any_bytes_are_read_or_raise_a_provider_error(self, body: bytes) -> None:
        with suppress(ProviderError):
            replies_of(wire(b")]}'\n" + body), "The store")

    @given(st.data())
    def test_damaged_body_is_read_or_raises_a_provider_error(self, data: st.DataObject) -> None:
        text = chunked(REVIEWS, END)
        begin = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(begin, len(text)))
        with suppress(ProviderError):
            replies_of(wire(text[:begin] + data.draw(st.text("[]\"',5\n", max_size=5)) + text[end:]), "The store")


class TestBlocks:
    def test_blocks_are_found_in_any_order(self) -> None:
        blocks = blocks_of(wire(PAGE))
        assert blocks["ds:0"] == Block("ds:0", [["id", "</b>"], None, 4.5], False, "xY2Ddd", ["aapb"])
        assert blocks["ds:1"].data == [[None, "a\tb, sideChannel: {}"]]
        assert blocks["ds:2"].data == ["old"]
        assert list(blocks) == ["ds:1", "ds:0", "ds:2"]

    def test_block_is_chosen_by_its_call(self) -> None:
        moved = PAGE.replace("'ds:0'", "'ds:9'")
        assert block_for(blocks_of(wire(moved)), "xY2Ddd", "ds:0") == Block(
            "ds:9", [["id", "</b>"], None, 4.5], False, "xY2Ddd", ["aapb"]
        )
        silent = blocks_of(wire(PAGE.replace("AF_dataServiceRequests", "AF_other")))
        assert (found := block_for(silent, "xY2Ddd", "ds:0")) is not None
        assert found.data[2] == 4.5
        assert block_for(blocks_of(wire(PAGE)), "zzzzzz", "ds:0") is None

    @pytest.mark.parametrize(
        "block",
        [
            "{key: 'ds:0', isError:  true , hash: '2', data:[7], sideChannel: {}}",
            "{key: 'ds:0', hash: '2', data:[7],errorHasStatus: true, sideChannel: {}}",
        ],
    )
    def test_error_of_a_block_is_reported(self, block: str) -> None:
        assert blocks_of(wire(f"<script>AF_initDataCallback({block});</script>"))["ds:0"] == Block("ds:0", [7], True)

    def test_text_within_another_block_is_not_a_block(self) -> None:
        inner = "AF_initDataCallback({key: 'ds:1', data:[6]})"
        page = f"<script>AF_initDataCallback({{key: 'ds:0', data:[\"{inner}\"]}});</script>"
        assert list(blocks_of(wire(page))) == ["ds:0"]

    def test_damaged_block_is_counted_and_the_others_are_read(self) -> None:
        with counting() as losses:
            assert list(blocks_of(wire(PAGE.replace('[["id"', '[["id')))) == ["ds:1", "ds:2"]
        assert losses == {"AF_initDataCallback(ds:0": 1}

    @pytest.mark.parametrize("end", ["", ");", ", sideChannel: {}});"])
    def test_block_of_a_truncated_page_is_counted(self, end: str) -> None:
        with counting() as losses:
            assert blocks_of(wire("<script>AF_initDataCallback({key: 'ds:0', data:[1]" + end)) == {}
            assert blocks_of(wire("<script>AF_initDataCallback({key: 'ds:0', data:[1]</script>")) == {}
        assert losses == {"AF_initDataCallback(ds:0": 2}

    def test_page_without_blocks_has_none(self) -> None:
        assert blocks_of(wire("<html>")) == {}

    @pytest.mark.parametrize(
        "unit",
        [
            "AF_initDataCallback({key: 'ds:0', data:[\"",
            "AF_initDataCallback({key: 'ds:0', data:[1],",
            "AF_initDataCallback({key: 'ds:0'" + " " * 50,
            "AF_initDataCallback(",
            "AF_dataServiceRequests = {'ds:0' : {id:'a',request:[\"",
            "'ds:0' : {id:'a',request:[",
            "AF_initDataCallback({key: 'ds:0', data:" + "[" * 400,
        ],
    )
    def test_time_grows_linearly_with_the_page(self, unit: str) -> None:
        def prepare(size: int) -> Any:
            return partial(blocks_of, wire("AF_dataServiceRequests = {" + unit * (size // len(unit)) + "</script>"))

        assert judge(prepare, unit, size=20_000, largest=200_000) is None

    @pytest.mark.parametrize("unit", ["1\n[", '[["wrb.fr","x","[1]"]]\n', "\n", '9\n["', "[[],"])
    def test_time_grows_linearly_with_the_response(self, unit: str) -> None:
        def prepare(size: int) -> Any:
            body = f")]}}'\n{unit * (size // len(unit))}".encode()
            return partial(chunks_of, body)

        assert judge(prepare, unit, size=20_000, largest=200_000) is None
