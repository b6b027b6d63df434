"""Lines of rows: classified by their words, in any order, with any of them missing."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.extractors.videoplatform.model.row import Row
from webquarry.extractors.videoplatform.sources.innertube import nodes
from webquarry.extractors.videoplatform.sources.innertube.lines import (
    LineKind,
    count_videos,
    read_line,
    read_lines,
    says_upcoming,
)
from webquarry.extractors.videoplatform.words import LANGUAGES
from webquarry.read.time_words import LANGUAGES as TIMES

NOW = datetime(2026, 11, 26, tzinfo=UTC)
LINES: dict[str, dict[LineKind, tuple[str, int | None]]] = {
    "en": {
        "views": ("1.2K views", 1_200), "viewers": ("500 watching", 500), "waiting": ("56 waiting", 56),
        "age": ("12 hours ago", None), "starts": ("Premieres 12/14/26, 1:00 PM", None),
    },
    "de": {
        "views": ("1.862 Aufrufe", 1_862), "viewers": ("1.204 Zuschauer", 1_204),
        "waiting": ("56 Zuschauer warten", 56), "age": ("vor 12 Stunden", None),
        "starts": ("Premiere am 14.12.26, 13:00", None),
    },
    "fr": {
        "views": ("290 k vues", 290_000), "viewers": ("12 spectateurs", 12), "waiting": ("56 en attente", 56),
        "age": ("il y a 3 jours", None), "starts": ("Première le 14/12/2026 13:00", None),
    },
    "es": {
        "views": ("1,2 mil M de visualizaciones", 1_200_000_000), "viewers": ("12 espectadores", 12),
        "waiting": ("56 en espera", 56), "age": ("hace 3 días", None), "starts": ("Estreno: 14/12/26, 13:00", None),
    },
    "pt": {
        "views": ("12 mil visualizações", 12_000), "viewers": ("12 assistindo", 12), "waiting": ("56 aguardando", 56),
        "age": ("há 2 anos", None), "starts": ("Programado para 14/12/2026 13:00", None),
    },
    "ru": {
        "views": ("12 тыс. просмотров", 12_000), "viewers": ("12 зрителей", 12), "waiting": ("56 ожидают", 56),
        "age": ("3 часа назад", None), "starts": ("Премьера состоится 14.12.2026, 13:00", None),
    },
    "tr": {
        "views": ("12 B görüntüleme", 12_000), "viewers": ("12 kişi izliyor", 12), "waiting": ("56 kişi bekliyor", 56),
        "age": ("3 gün önce", None), "starts": ("14.12.2026 13:00 için planlandı", None),
    },
    "ja": {
        "views": ("1.2万回視聴", 12_000), "viewers": ("1204 人が視聴中", 1_204), "waiting": ("56 人が待機中", 56),
        "age": ("12 時間前", None), "starts": ("2026/12/14 13:00 に公開予定", None),
    },
    "ko": {
        "views": ("조회수 29만회", 290_000), "viewers": ("12명 시청 중", 12), "waiting": ("56명 대기 중", 56),
        "age": ("3시간 전", None), "starts": ("2026. 12. 14. 오후 1:00 최초 공개", None),
    },
    "zh": {
        "views": ("觀看次數：1,862次", 1_862), "viewers": ("1204 人正在观看", 1_204), "waiting": ("56 人正在等待", 56),
        "age": ("3 個月前", None), "starts": ("首播时间：2026/12/14 13:00", None),
    },
    "ar": {
        "views": ("1.2 مليون مشاهدة", 1_200_000), "viewers": ("12 يشاهدون الآن", 12), "waiting": ("56 في الانتظار", 56),
        "age": ("قبل يومين", None), "starts": ("مجدول: 14/12/2026 13:00", None),
    },
}  # fmt: skip


@pytest.mark.parametrize("language", LINES)
def test_line_is_classified_by_its_words(language: str) -> None:
    read = {kind: read_line(text) for kind, (text, _) in LINES[language].items()}
    assert {kind: (line.kind, line.count) for kind, line in read.items()} == {
        kind: (kind, count) for kind, (_, count) in LINES[language].items()
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_words_for_counts_and_for_times(language: str) -> None:
    words, times = LANGUAGES[language], TIMES[language]
    for kind in ("views", "viewers", "waiting", "subscribers"):
        for word in getattr(words, kind).split():
            line = read_line(f"12 {word.rstrip('*').replace('_', ' ')}")
            assert line.kind is not None, word
            assert line.kind != "age", word
    ago = times.ago.split()[0].rstrip("*")
    for unit in (times.minutes, times.hours, times.days, times.weeks, times.months_long, times.years):
        word = unit.split()[0].rstrip("*")
        said = f"12 {word}" if word == ago or word.endswith("前") else f"{ago} 12 {word}"
        assert read_line(said).kind == "age", said


@pytest.mark.parametrize(
    ("text", "kind", "count"),
    [
        ("No views", "views", 0),
        ("Keine Aufrufe", "views", 0),
        ("12h ago", "age", None),
        ("3m ago", "age", None),
        ("Streamed 2 weeks ago", "age", None),
        ("Premiere vor 3 Tagen", "age", None),
        ("Yesterday", "age", None),
        ("1.2M views", "views", 1_200_000),
        ("1,2 M x ditonton", "views", 1_200_000_000),
        ("1,2 Tr lượt xem", "views", 1_200_000),
        ("12 tis. zhlédnutí", "views", 12_000),
        ("LIVE_CHANNEL_NAME", None, None),
        ("24 News", None, None),
        ("Channel 4", None, None),
        ("50 views of Rome", None, None),
        ("12 hours", None, None),
        ("Views", None, None),
        ("12 እይታዎች", None, None),
        ("4:13", None, None),
        ("9" * 200, None, None),
        ("", None, None),
    ],
)
def test_ambiguous_words_are_not_guessed(text: str, kind: str | None, count: int | None) -> None:
    line = read_line(text)
    assert (line.kind, line.count) == (kind, count)


def lockup(rows: list[list[str]], *, image: bool = False, badge: tuple[str, str] | None = None) -> dict[str, Any]:
    meta: dict[str, Any] = {
        "title": {"content": "A harbour"},
        "metadata": {
            "contentMetadataViewModel": {
                "metadataRows": [{"metadataParts": [{"text": {"content": text}} for text in row]} for row in rows]
            }
        },
    }
    if image:
        meta["image"] = {"decoratedAvatarViewModel": {}}
    node: dict[str, Any] = {
        "contentId": "Harbour-_01",
        "contentType": "LOCKUP_CONTENT_TYPE_VIDEO",
        "metadata": {"lockupMetadataViewModel": meta},
    }
    if badge is not None:
        shown = {"thumbnailBadgeViewModel": {"text": badge[0], "badgeStyle": badge[1]}}
        overlay = {"thumbnailBottomOverlayViewModel": {"badges": [shown]}}
        node["contentImage"] = {"thumbnailViewModel": {"overlays": [overlay]}}
    return node


def row_of(node: dict[str, Any]) -> Row:
    row = nodes.read_row({"lockupViewModel": node}, NOW)
    assert row is not None
    return row


def test_live_row_without_viewers_names_its_channel_and_counts_nothing() -> None:
    live = ("LIVE", "THUMBNAIL_OVERLAY_BADGE_STYLE_LIVE")
    row = row_of(lockup([["24 News"]], image=True, badge=live))
    assert (row.live, row.channel.name, row.concurrent_viewers, row.view_count) == (True, "24 News", None, None)
    bare = row_of(lockup([["24 News"]], badge=live))
    assert (bare.channel.name, bare.concurrent_viewers, bare.view_count_text) == (None, None, None)
    assert bare.other_texts == ["24 News"]


def test_channel_name_is_above_the_counts() -> None:
    row = row_of(lockup([["7 Days"], ["500K views", "1 month ago"]]))
    assert (row.channel.name, row.view_count, row.published_text) == ("7 Days", 500_000, "1 month ago")


@pytest.mark.parametrize("words", ["Upcoming", "Demnächst", "À venir", "Em breve", "近日公開", "UPCOMING"])
def test_badge_marks_an_upcoming_video(words: str) -> None:
    assert says_upcoming(words)
    assert row_of(lockup([], badge=(words, "THUMBNAIL_OVERLAY_BADGE_STYLE_DEFAULT"))).upcoming


@pytest.mark.parametrize(
    ("words", "count"), [("12 videos", 12), ("337 Folgen", 337), ("5 ቪዲዮዎች", 5), ("3 days ago", None), ("Mix", None)]
)
def test_videos_of_a_list_are_counted(words: str, count: int | None) -> None:
    assert count_videos(words) == count


def test_premiere_has_a_number_of_waiting_people() -> None:
    node = {
        "videoId": "Harbour-_01",
        "title": {"runs": [{"text": "A"}]},
        "shortViewCountText": {"runs": [{"text": "1"}, {"text": " waiting"}]},
        "upcomingEventData": {"startTime": "1795000000"},
    }
    row = nodes.read_row({"videoRenderer": node}, NOW)
    assert row is not None
    assert (row.view_count, row.waiting_count, row.upcoming) == (None, 1, True)


def test_video_without_a_title_is_kept() -> None:
    label = {"accessibility": {"accessibilityData": {"label": "39 seconds"}}}
    row = nodes.read_row({"videoRenderer": {"videoId": "Harbour-_01", "title": label}}, NOW)
    assert row is not None
    assert row.title == ""


@given(st.data())
def test_rows_in_any_order_give_the_same_fields(data: st.DataObject) -> None:
    lines = LINES[data.draw(st.sampled_from(sorted(LINES)))]
    kinds = data.draw(st.lists(st.sampled_from(sorted(lines)), unique=True))
    texts = data.draw(
        st.permutations([*(lines[kind][0] for kind in kinds), *data.draw(st.sampled_from([[], ["24 News"]]))])
    )
    split = data.draw(st.integers(0, len(texts)))
    told = read_lines(texts)
    assert told.others == [text for text in texts if text == "24 News"]
    row = row_of(lockup([row for row in (list(texts[:split]), list(texts[split:])) if row]))
    by_kind = {kind: lines[kind][1] for kind in kinds}
    assert row.view_count == by_kind.get("views")
    assert row.concurrent_viewers == by_kind.get("viewers")
    assert row.waiting_count == by_kind.get("waiting")
    assert row.published_text == next((lines[kind][0] for kind in ("age", "starts") if kind in kinds), None)
    assert row.live == ("viewers" in kinds)
    assert row.upcoming == (bool({"waiting", "starts"} & set(kinds)) and not row.live)


@given(st.text(max_size=200))
def test_every_text_is_read_without_an_error(text: str) -> None:
    line = read_line(text)
    assert line.count is None or line.count >= 0
