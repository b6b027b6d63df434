"""Number formats, which determine a cell's displayed value."""

from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry_convert.file.sheets.formats import GENERAL, Format, builtin
from webquarry_convert.file.sheets.formats.general import round_half_up, to_decimal


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0"),
        (-1.5, "-1.5"),
        (0.1 + 0.2, "0.3"),
        (3.14159265358979, "3.141592654"),
        (1 / 3, "0.333333333"),
        (12345.678901234, "12345.6789"),
        (12345678901.0, "12345678901"),
        (99999999999.9, "1E+11"),
        (123456789012.5, "1.23457E+11"),
        (4006381333931.0, "4006381333931"),
        (-100000000000000.0, "-100000000000000"),
        (1234567890123456.0, "1.23457E+15"),
        (0.00001, "0.00001"),
        (0.000012345678, "1.23457E-05"),
        (4.094712e231, "4.0947E+231"),
    ],
)
def test_general_shows_eleven_characters_except_for_whole_numbers(value: float, shown: str) -> None:
    assert GENERAL.number(value) == shown


@given(
    st.floats(1e-3, 1e9, exclude_max=True)
    | st.decimals("0.001", "999999999", places=9).map(float)
    | st.integers(1, 10**9 - 1).map(lambda number: (number + 0.5) / 1000)
)
def test_general_rounds_the_fifteen_stored_digits(value: float) -> None:
    kept = to_decimal(value)
    expected = f"{round_half_up(kept, 9 - max(kept.adjusted(), 0)):f}"
    shown = expected.rstrip("0").rstrip(".") if "." in expected else expected
    assert (GENERAL.number(value), GENERAL.number(-value)) == (shown, f"-{shown}")


@pytest.mark.parametrize(
    ("digits", "shown"),
    [("42", "42"), ("-0.50", "-0.5"), ("1E-3", "0.001"), ("0.30000000000000004", "0.3"), ("x", "x"), ("NaN", "#NUM!")],
)
def test_number_is_shown_as_stored_only_if_general_shows_it_unchanged(digits: str, shown: str) -> None:
    assert GENERAL.written(digits) == shown


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("0", 0.5, "1"),
        ("0.00", 1.005, "1.01"),  # rounded by the decimal notation rather than the stored binary number
        ("0.00", -1.005, "-1.01"),
        ("00000", 42, "00042"),
        ("#,##0", 1234567.5, "1,234,568"),
        ("#,##0.00", -1234.5, "-1,234.50"),
        ("0,000,000", 12, "0,000,012"),
        ("0%", 0.125, "13%"),
        ("0.0%", -0.125, "-12.5%"),
        ("0.###", 5, "5."),
        ("0.0##", 5.123456, "5.123"),
        ("0.0?", 1.5, "1.5 "),
        ("#.##", 0.5, ".5"),
        ("#", 0, ""),
        ("#,##0,", 1234567, "1,235"),
        ("0.0,", 12345, "12.3"),
        ('0,,"M"', 12345678, "12M"),
        ("000-00-0000", 123456789, "123-45-6789"),
        ("(###) ###-####", 5551234567, "(555) 123-4567"),
        ("0.00", 1e20, "100000000000000000000.00"),
        ("#,##0.00", 4.9999, "5.00"),
        ("$#,##0.00", 1234.5, "$1,234.50"),
        ("0.00\\ \\x", 1, "1.00 x"),
    ],
)
def test_digit_placeholders_are_filled(code: str, value: float, shown: str) -> None:
    assert Format(code).number(value) == shown


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("0.00E+00", 12345, "1.23E+04"),
        ("0.00E+00", 0, "0.00E+00"),
        ("0.00E+00", 9.999, "1.00E+01"),
        ("0.00E-00", 12345, "1.23E04"),
        ("0.00E-00", 0.00012345, "1.23E-04"),
        ("##0.0E+0", 12345, "12.3E+3"),
        ("##0.0E+0", 0.0012345, "1.2E-3"),
    ],
)
def test_exponents_are_formatted(code: str, value: float, shown: str) -> None:
    assert Format(code).number(value) == shown


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("# ?/?", 1.5, "1 1/2"),
        ("# ?/?", -1.5, "-1 1/2"),
        ("# ?/8", 2.25, "2 2/8"),
        ("# ?/100", 1.07, "1 7/100"),
        ("?/?", 1.5, "3/2"),
        ("# ?/?", 0, "0"),
        ("# ?/?", 2, "2"),
        ("# ?/?", 0.99, "1"),
    ],
)
def test_fractions_are_formatted(code: str, value: float, shown: str) -> None:
    assert Format(code).number(value) == shown


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("0;(0)", -5, "(5)"),
        ('0;(0);"none"', 0, "none"),
        ("0;;", -1, ""),
        (";;;", 5, ""),
        ("[Red]0;[Blue]-0", -5, "-5"),
        ("[>=100]0;0.0", 5, "5.0"),
        ("[>=100]0;0.0", 500, "500"),
        ('[<0]"neg "0;[>=100]0;0.0', -5, "neg 5"),
        ('[>=100]0;[<0]"neg "0;0.0', -5, "neg 5"),
        ('[=1]"one";General', 1, "one"),
        ('[=1]"one";General', 2.5, "2.5"),
        ('_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)', -1234.5, " (1,234.50)"),
        ("[$€-407] #,##0.00", 12, "€ 12.00"),
        ("#,##0 [$CHF]", 12, "12 CHF"),
        ('General" kg"', -3, "-3 kg"),
        ("@", 3.25, "3.25"),
        ('"yes";"no"', -1, "no"),
    ],
)
def test_sections_conditions_and_currencies_are_applied(code: str, value: float, shown: str) -> None:
    assert Format(code).number(value) == shown


@pytest.mark.parametrize(
    ("code", "text", "shown"),
    [("0", "a", "a"), ('"<"@">"', "a", "<a>"), ('0;0;0;"t:"@', "a", "t:a"), (";;;", "a", ""), ("General", "a", "a")],
)
def test_text_uses_the_text_section(code: str, text: str, shown: str) -> None:
    assert Format(code).text(text) == shown


@pytest.mark.parametrize(
    ("code", "serial", "shown"),
    [
        ("m/d/yy", 32874, "1/1/90"),
        ("yyyy-mm-dd hh:mm:ss", 45000.75, "2023-03-15 18:00:00"),
        ("dddd, mmmm d, yyyy", 45000, "Wednesday, March 15, 2023"),
        ("ddd mmm d", 45000, "Wed Mar 15"),
        ("mmmmm", 45000, "M"),
        ("h:mm AM/PM", 0.5, "12:00 PM"),
        ("h:mm A/P", 0.0, "12:00 A"),
        ("h:mm", 0.999999, "0:00"),
        ("mm:ss.0", 0.00001, "00:00.9"),
        ("mmss.000", 0.001, "0126.400"),
        ("hh:mm:ss", 0.5 + 1.6 / 86400, "12:00:02"),
        ("h:mm", 0.5 + 59.9 / 86400, "12:01"),
        ("h:mm", 0.5 + 59.2 / 86400, "12:00"),
        ("[h]:mm:ss", 1.5, "36:00:00"),
        ("[mm]:ss", 0.1, "144:00"),
        ("[s]", 1 / 24, "3600"),
        ("[h]:mm", -1.5, "-36:00"),
        ("d", 0, "0"),
        ("m/d/yyyy", 60, "2/29/1900"),
        ("dddd", 1, "Sunday"),
        ("[$-407]d. mmmm yyyy", 45000, "15. März 2023"),
        ("[$-40C]dddd", 45000, "mercredi"),
        ("bbbb", 45000, "2566"),
        ("e", 45000, "2023"),
        ("yyyy", -1, "-1"),
        ("yyyy", 1e9, "1000000000"),
    ],
)
def test_dates_and_times_are_formatted(code: str, serial: float, shown: str) -> None:
    assert Format(code).number(serial) == shown


def test_dates_may_be_counted_from_1904() -> None:
    assert Format("yyyy-mm-dd", from_1904=True).number(0) == "1904-01-01"
    assert Format("[h]", from_1904=True).number(1) == "24"


def test_built_in_format_numbers_have_codes() -> None:
    assert Format(builtin(14)).number(32874) == "1/1/90"
    assert Format(builtin(44)).number(-2) == " $(2.00)"
    assert builtin(30) == builtin(14)
    assert builtin(1000) == "General"


def test_infinite_numbers_are_shown_as_errors() -> None:
    assert GENERAL.number(float("inf")) == Format("0.00").number(float("nan")) == "#NUM!"


@given(st.text("0#?.,;%E+-/@[]\"\\_*ymdhsbegaGeneral$€AP/<>=1 |'", max_size=20), st.floats())
def test_any_code_formats_any_number(code: str, value: float) -> None:
    assert isinstance(Format(code).number(value), str)
    assert isinstance(Format(code).text("x"), str)


@given(st.decimals(-(10**8), 10**8, places=4), st.integers(0, 4))
def test_fast_formatting_rounds_like_exact_formatting(value: Decimal, places: int) -> None:
    zeros = f".{'0' * places}" if places else ""
    rounded = value.copy_abs().quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    sign = "-" if value < 0 else ""
    assert Format(f"#,##0{zeros}").number(float(value)) == f"{sign}{rounded:,f}"
