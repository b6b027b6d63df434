import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.damage import damaged_json
from webquarry.extractors.social.sources.microblog.article import read_article

TAPE = Path(__file__).parents[4] / "tapes/social_microblog_tweet/article/01.json"


def article() -> Any:
    return json.loads(TAPE.read_text())["status"]["article"]


def block(text: str, **more: Any) -> dict[str, Any]:
    return {"content": {"blocks": [{"type": "unstyled", "text": text, **more}], "entityMap": []}}


def test_offsets_count_utf_16() -> None:
    bold = {"offset": 3, "length": 4, "style": "BOLD"}
    assert read_article(block("🔭 dome", inlineStyleRanges=[bold])).markdown == "🔭 **dome**"


def test_entities_can_be_an_object() -> None:
    node = article()
    node["content"]["entityMap"] = {entry["key"]: entry["value"] for entry in node["content"]["entityMap"]}
    assert read_article(node) == read_article(article())


@pytest.mark.parametrize(
    ("text", "written"),
    [("# no heading", "\\# no heading"), ("<b>no tag</b>", "\\<b>no tag\\</b>"), ("- no item", "\\- no item")],
)
def test_markup_in_text_is_escaped(text: str, written: str) -> None:
    assert read_article(block(text)).markdown == written


def test_marks_touch_their_words() -> None:
    bold = {"offset": 1, "length": 5, "style": "Bold"}
    assert read_article(block("a dom e", inlineStyleRanges=[bold])).markdown == "a **dom** e"


def test_article_with_only_a_preview_has_no_markdown() -> None:
    read = read_article({"title": "Dome", "content": {"blocks": []}})
    assert (read.title, read.markdown, read.text, read.images) == ("Dome", None, None, [])


@given(data=st.data())
def test_damaged_article_is_still_read(data: st.DataObject) -> None:
    read = read_article(damaged_json(data, article()))
    assert (read.markdown is None) or read.markdown.strip()
