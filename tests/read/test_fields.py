from datetime import UTC, date, datetime
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.read import amounts, counting, take
from webquarry.read.amounts import Money
from webquarry.read.fields import (
    to_address,
    to_count,
    to_counted,
    to_day,
    to_decimal,
    to_flag,
    to_id,
    to_instant,
    to_line,
    to_money,
    to_number,
    to_only_count,
    to_percent,
    to_plain,
    to_rating,
    to_share,
    to_text,
    to_token,
    to_whole,
)

ALL = (
    to_address, to_line, to_text, to_token, to_plain, to_id, to_count, to_counted, to_whole, to_number, to_decimal,
    to_rating, to_percent, to_share, partial(to_money, currency="EUR"), to_flag, to_instant, to_day,
)  # fmt: skip
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.text("0123456789.,kKMм %$€-+' ", max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=5,
)


@given(ANYTHING)
def test_every_converter_accepts_any_value(value: Any) -> None:
    for convert in ALL:
        convert(value)


def test_wrong_type_is_counted_and_null_is_not() -> None:
    node = {"plays": "many", "likes": None, "views": 7}
    with counting() as losses:
        assert [take(node, name, to_count) for name in ("plays", "likes", "shares", "views")] == [None, None, None, 7]
    assert losses == {"plays": 1}
    with counting() as losses:
        assert take(node, "likes", to_count, required=True) is None
    assert losses == {"likes": 1}


class TestCounts:
    @pytest.mark.parametrize(
        ("written", "count"),
        [
            (12, 12),
            (12.0, 12),
            ("12", 12),
            ("1,234", 1234),
            ("1.234", 1234),
            ("1 234", 1234),
            ("1\u202f234", 1234),
            ("1'234'567", 1_234_567),
            ("1.234.567", 1_234_567),
            ("12,34,567", 1_234_567),
            ("1,234.0", None),
            ("1.2M", 1_200_000),
            ("1,2 Mio.", 1_200_000),
            ("1.2M+", 1_200_000),
            ("1.234 Mio.", 1_234_000),
            ("12 тыс.", 12_000),
            ("12,5 тыс", 12_500),
            ("1.2万", 12_000),
            ("3億", 300_000_000),
            ("2,1 Mrd.", 2_100_000_000),
            ("2 Md", 2_000_000_000),
            ("1,2 k", 1200),
            ("500+", 500),
            ("20K+", 20_000),
            ("3 mil", 3000),
            ("1,2 mil.", 1_200_000),
            ("1,5 lakh", 150_000),
            ("٣٤", 34),
            ("１２", 12),
            ("0", 0),
            (0, 0),
            ("1,2 triệu", 1_200_000),
            ("5천", 5000),
        ],
    )
    def test_is_read(self, written: Any, count: int | None) -> None:
        assert to_count(written) == count

    @pytest.mark.parametrize(
        "written",
        [
            -1,
            "-1",
            "1.5",
            "1,23",
            1.5,
            True,
            None,
            "",
            " ",
            "many",
            "1.2X",
            "1.2345M2",
            "1..2",
            "1,2,3",
            "12,345,67",
            "1,23,45",
            "0,234",
            "012,345",
            "1 2",
            "1e5",
            "NaN",
            "9" * 30,
            "1.2 M M",
            [],
            {},
            "1.00000001K",
            2**60,
            "12 views",
        ],
    )
    def test_anything_else_is_none(self, written: Any) -> None:
        assert to_count(written) is None

    @pytest.mark.parametrize(
        ("written", "count"),
        [
            ("1,862 views", 1862),
            ("2.14M subscribers", 2_140_000),
            ("2.14m subscribers", 2_140_000),
            ("1 view", 1),
            ("12 тыс. подписчиков", 12_000),
            ("1.2万人", 12_000),
            ("1 million views", 1_000_000),
            ("12,3 Mio. Aufrufe", 12_300_000),
            ("No views", None),
            ("1.5 views", None),
            ("5/7", None),
        ],
    )
    def test_name_of_the_counted_things_may_follow(self, written: str, count: int | None) -> None:
        assert to_counted(written) == count

    @given(st.integers(0, 10**15), st.sampled_from([",", ".", " ", "\u202f", "'", "’"]))
    def test_grouped_numbers_are_parsed(self, count: int, mark: str) -> None:
        assert to_count(f"{count:,}".replace(",", mark)) == count

    @given(st.text("0123456789.,", min_size=1, max_size=12))
    def test_digits_are_never_lost_or_added(self, written: str) -> None:
        found = to_count(written)
        assert found is None or found == int("".join(sign for sign in written if sign.isdigit()))


class TestNumbers:
    @pytest.mark.parametrize(
        ("written", "number"),
        [
            ("4.5", 4.5),
            ("4,5", 4.5),
            ("1.234,5", 1234.5),
            ("1,234.5", 1234.5),
            ("1.234", None),
            ("1,234", None),
            ("0.234", 0.234),
            ("-3,5", -3.5),
            ("−3.5", -3.5),
            ("1.2345", 1.2345),
            (True, None),
            (3, 3.0),
            ("1.2K", 1200.0),
        ],
    )
    def test_ambiguous_numbers_are_none(self, written: Any, number: float | None) -> None:
        assert to_number(written) == number

    def test_decimal_mark_can_be_given(self) -> None:
        assert to_number("1.234", ".") == 1.234
        assert to_number("1.234", ",") == 1234
        assert to_number("1,234", ".") == 1234
        assert to_decimal("1.234") == 1.234
        assert to_decimal("1,234") is None

    @pytest.mark.parametrize(
        ("written", "rating"), [(4.36, 4.36), ("4,5", 4.5), (0, None), (6, None), ("five", None), (None, None)]
    )
    def test_rating_is_converted(self, written: Any, rating: float | None) -> None:
        assert to_rating(written) == rating

    @pytest.mark.parametrize(
        ("written", "percent"),
        [("12%", 12), ("+12,5 %", 12.5), ("%12", 12), ("-3%", -3), ("12", None), (12, 12), ("1%2", None)],
    )
    def test_percent_is_converted(self, written: Any, percent: float | None) -> None:
        assert to_percent(written) == percent

    @pytest.mark.parametrize(
        ("written", "share"),
        [(0.12, 0.12), ("0.12", 0.12), ("12 %", 0.12), (12, None), ("120%", None), (-0.1, None), (True, None)],
    )
    def test_share_is_converted(self, written: Any, share: float | None) -> None:
        assert to_share(written) == share

    @pytest.mark.parametrize(
        ("written", "flag"),
        [
            (True, True),
            (0, False),
            (1, True),
            ("true", True),
            ("No", False),
            (2, None),
            ("truely", None),
            (None, None),
            ([], None),
        ],
    )
    def test_flag_is_converted(self, written: Any, flag: bool | None) -> None:
        assert to_flag(written) is flag

    @pytest.mark.parametrize(
        ("written", "whole"), [(-3, -3), ("-3", -3), ("12", 12), ("1.2", None), (True, None), ("9" * 17, None)]
    )
    def test_whole_number_is_converted(self, written: Any, whole: int | None) -> None:
        assert to_whole(written) == whole


class TestMoney:
    @pytest.mark.parametrize(
        ("written", "currency", "minor"),
        [
            ("24.17", "USD", 2417),
            (24.17, "USD", 2417),
            (30, "USD", 3000),
            ("30.8", "USD", 3080),
            ("$1,234.50", "USD", 123_450),
            ("1.234,50 €", "EUR", 123_450),
            ("1.234 €", "EUR", None),
            ("US$ 5", "USD", 500),
            ("5 USD", "USD", 500),
            ("¥1,200", "JPY", 1200),
            ("97.043", "VND", 97_043),
            ("97.043₫", "VND", 97_043),
            ("1.234", "KWD", None),
            ("-$5.00", "USD", -500),
            ("$ -5.00", "USD", -500),
            ("€5", "USD", None),
            ("5 EUR", "USD", None),
            ("24.175", "USD", None),
            (24.175, "USD", None),
            ("12.5", "JPY", None),
            ("$24.17 - 24.69", "USD", None),
            ("free", "USD", None),
            ("5", "dollars", None),
            (True, "USD", None),
            (float("inf"), "USD", None),
            ("R$ 5,00", "BRL", 500),
        ],
    )
    def test_amount_is_in_minor_units_of_its_currency(self, written: Any, currency: str, minor: int | None) -> None:
        found = to_money(written, currency)
        assert found == (None if minor is None else Money(minor, currency))

    def test_machine_written_prices_have_a_point(self) -> None:
        assert to_money("1.234 €", "EUR", ",") == to_money("1,234 €", "EUR", ".") == Money(123_400, "EUR")
        assert to_money("1.234", "KWD", ".") == Money(1234, "KWD")
        assert to_money("24.175", "USD", ".") is None

    @given(st.integers(0, 10**9))
    def test_every_price_is_parsed(self, minor: int) -> None:
        assert to_money(f"{minor / 100:.2f}", "EUR") == Money(minor, "EUR")
        assert to_money(f"€{minor / 100:,.2f}", "EUR") == Money(minor, "EUR")


class TestInstants:
    NOON = datetime(2024, 4, 11, 12, tzinfo=UTC)

    @pytest.mark.parametrize(
        "written",
        [
            1_712_836_800,
            1_712_836_800_000,
            1_712_836_800_000_000,
            1_712_836_800_000_000_000,
            1_712_836_800.0,
            "1712836800",
            "1712836800000",
            "1712836800.0",
            [1_712_836_800, 0],
            [1_712_836_800],
            "2024-04-11T12:00:00Z",
            "2024-04-11T14:00:00+02:00",
            "2024-04-11 12:00",
            "Thu, 11 Apr 2024 12:00:00 GMT",
            "Thu Apr 11 12:00:00 +0000 2024",
        ],
    )
    def test_is_in_utc(self, written: Any) -> None:
        assert to_instant(written) == self.NOON

    def test_bare_date_is_its_first_instant(self) -> None:
        assert to_instant("2024-04-11") == to_instant("20240411") == datetime(2024, 4, 11, tzinfo=UTC)
        assert to_day("2024-04-11") == to_day(1_712_836_800) == date(2024, 4, 11)

    @pytest.mark.parametrize(
        "written",
        [0, -1, 2024, 20240411, True, "yesterday", "", [], [1, 2, 3], {}, None, 1e300, 10**30, float("nan"), "9" * 19],
    )
    def test_anything_else_is_none(self, written: Any) -> None:
        assert to_instant(written) is None or written == "9" * 19


class TestTexts:
    def test_line_is_converted(self) -> None:
        assert to_line(" a\n\u2009b\x00 ") == "a b"
        assert to_line(" \n") is None
        assert to_line(5) is None
        assert len(to_line("a " * 5000) or "") <= 2000

    def test_text_keeps_its_lines(self) -> None:
        assert to_text("a \r\nb\r\r\r\r\nc\x07\td") == "a\nb\n\nc\td"
        assert to_text("\n \n") is None

    def test_plain_text_is_converted(self) -> None:
        assert to_plain("<b>a</b> &amp; b<br>c") == "a & b c"

    @pytest.mark.parametrize(
        ("written", "address"),
        [
            ("https://a.example/x?y#z", "https://a.example/x?y#z"),
            ("//a.example", "https://a.example"),
            ("/x", "https://shop.example/x"),
            ("javascript:alert(1)", None),
            ("ftp://a.example", None),
            ("", None),
            (" ", None),
            (5, None),
            ("https://", None),
            ("https://u:p@a.example", None),
        ],
    )
    def test_address_is_converted(self, written: Any, address: str | None) -> None:
        assert to_address(written, "https://shop.example/p") == address

    def test_relative_address_without_a_base_is_none(self) -> None:
        assert to_address("/x") is to_address("//a.example/x") is None

    def test_id_is_converted(self) -> None:
        given: list[Any] = [" a1 ", 12, 2**53 + 2, -1, True, None, [], ""]
        assert [to_id(value) for value in given] == ["a1", "12", None, None, None, None, None, None]


def test_every_unit_has_one_power_of_ten() -> None:
    words = [word for words in amounts._SPELLED.values() for word in words.split()]
    assert len(words) == len(set(words))


def test_token_is_unchanged_and_limited_in_length() -> None:
    assert to_token(" a\tb== ") == " a\tb== "
    assert to_token("a" * 8_192) is not None
    assert [to_token(value) for value in ("a" * 8_193, "", " ", None, 5)] == [None] * 5


@pytest.mark.parametrize(
    ("given", "share"),
    [
        (1.0000000000000002, 1.0),
        (-1e-17, 0.0),
        (1.0009, 1.0),
        ("100.0%", 1.0),
        (0.25, 0.25),
        (1.01, None),
        (-0.01, None),
        (float("nan"), None),
    ],
)
def test_share_slightly_beyond_a_bound_is_the_bound(given: Any, share: float | None) -> None:
    assert to_share(given) == share


def test_rating_slightly_beyond_a_bound_is_the_bound() -> None:
    assert (to_rating(5.0000001), to_rating(0.9999999), to_rating(5.1), to_rating(0)) == (5.0, 1.0, None, None)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("along with 2,560 other people", 2560),
        ("(1.2K reviews)", 1_200),
        ("2 of 3 people", None),
        ("none", None),
        (7, 7),
    ],
)
def test_only_number_in_a_text_is_read(text: Any, count: int | None) -> None:
    assert to_only_count(text) == count


def test_counted_text_with_a_second_number_is_ambiguous() -> None:
    assert (to_counted("12 of 30 sold"), to_counted("12 sold")) == (None, 12)


def test_placeholder_days_are_none() -> None:
    assert (to_day("9999-12-31"), to_day("0001-01-01"), to_instant(253_402_300_799)) == (None, None, None)
