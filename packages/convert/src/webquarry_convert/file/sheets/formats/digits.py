"""Number sections of format codes: digits, thousands separators, percent, exponents, fractions."""

import re
from decimal import Decimal
from fractions import Fraction

from webquarry_convert.file.sheets.formats.code import Section, Token
from webquarry_convert.file.sheets.formats.general import round_half_up, to_decimal

_MOST_DENOMINATOR_DIGITS = 7
_SIMPLE = re.compile(r"#*0(?:\.0+)?")
_SURELY_EXACT = 1e10
_NEAR_HALF = 1e-4


def _find_kind(tokens: list[Token], kind: str) -> int | None:
    """Return the index of the first token of a kind."""
    return next((at for at, token in enumerate(tokens) if token.kind == kind), None)


def _read_commas(mantissa: list[Token], point: int, places: list[int]) -> tuple[bool, int]:
    """Return whether commas group the digits, and how many trailing commas each divide the number by a thousand.

    point: index of the decimal point. places: indexes of the digits.
    """
    last_whole = max((at for at in places if at < point), default=-1)
    commas = [at for at, token in enumerate(mantissa) if token.kind == "comma"]
    is_grouped = bool(places) and any(places[0] < at < last_whole for at in commas)
    last = places[-1] if places else -1
    return is_grouped, sum(at > last or at > last_whole > -1 for at in commas)


class NumberSection:
    """A section with digit placeholders. `show` accepts only non-negative numbers; the caller adds the sign."""

    def __init__(self, section: Section) -> None:
        tokens = section.tokens
        self._percents = sum(token.kind == "percent" for token in tokens)
        self._exponent = _find_kind(tokens, "exponent")
        self._slash = None if self._exponent is not None else _find_slash(tokens)
        mantissa = tokens[: self._exponent]
        found = _find_kind(mantissa, "point")
        point = len(mantissa) if found is None else found
        self._whole = mantissa[:point]
        self._decimals = mantissa[point:]
        self._rest = [] if self._exponent is None else tokens[self._exponent :]
        places = [at for at, token in enumerate(mantissa) if token.kind == "digit"]
        self._places = sum(at > point for at in places)
        self._width = len(places) - self._places
        self._is_grouped, self._thousands = _read_commas(mantissa, point, places)
        self._plain = self._build_simple_format()

    def show(self, value: float) -> str:
        if self._plain is not None:
            before, places, unit, after = self._plain
            scaled = value * unit
            # binary and decimal rounding agree except near a half
            if scaled < _SURELY_EXACT and abs(scaled % 1 - 0.5) > _NEAR_HALF:
                return f"{before}{value * 100 if self._percents else value:{places}}{after}"
        return self.show_exactly(to_decimal(value))

    def _build_simple_format(self) -> tuple[str, str, float, str] | None:
        """Return a form that speeds up codes such as `$#,##0.00` and `0%`, or None for other codes.

        The result is the text before and after the digits, Python's format for them, and the factor that turns the last
        place into a unit.
        """
        if self._slash is not None or self._exponent is not None or self._thousands or self._percents > 1:
            return None
        tokens = [token for token in self._whole + self._decimals if token.kind != "comma"]
        places = [at for at, token in enumerate(tokens) if token.kind in {"digit", "point"}]
        if not places or places != list(range(places[0], places[-1] + 1)):
            return None
        shape = "".join("." if tokens[at].kind == "point" else tokens[at].text for at in places)
        if not _SIMPLE.fullmatch(shape):
            return None
        before, after = ("".join(map(_write_sign, part)) for part in (tokens[: places[0]], tokens[places[-1] + 1 :]))
        unit = 10.0 ** (self._places + 2 * self._percents)
        return before, f"{',' if self._is_grouped else ''}.{self._places}f", unit, after

    def show_exactly(self, number: Decimal) -> str:
        """Format like `show`, but with all digits of `number`."""
        if self._percents:
            number = number.scaleb(2 * self._percents)
        if self._thousands:
            number = number.scaleb(-3 * self._thousands)
        if self._slash is not None:
            return self._as_fraction(number, self._slash)
        if self._exponent is not None:
            return self._as_power(number)
        return self._as_decimal(number)

    def _as_decimal(self, number: Decimal) -> str:
        whole, _, decimals = f"{round_half_up(number, self._places):f}".partition(".")
        return _fill_places(self._whole, whole.lstrip("0"), self._is_grouped) + _write_decimals(
            self._decimals, decimals
        )

    def _as_power(self, number: Decimal) -> str:
        """Format with an exponent.

        If several placeholders precede the point, the exponent is a multiple of their number.
        """
        step = max(self._width, 1)
        exponent = 0
        if number:
            exponent = number.adjusted() // step * step
            if round_half_up(number.scaleb(-exponent), self._places) >= Decimal(10) ** step:
                exponent += step
        shown = self._as_decimal(number.scaleb(-exponent))
        always_signed = self._rest[0].text == "+"
        sign = "-" if exponent < 0 else "+" if always_signed else ""
        return f"{shown}E{sign}{_fill_places(self._rest[1:], str(abs(exponent)).lstrip('0'), False)}"

    def _as_fraction(self, number: Decimal, slash: int) -> str:
        tokens = self._whole + self._decimals
        start = slash
        while start and tokens[start - 1].kind == "digit":
            start -= 1
        stop = slash + 1
        while stop < len(tokens) and tokens[stop].kind == "digit":
            stop += 1
        before, above, below, after = tokens[:start], tokens[start:slash], tokens[slash + 1 : stop], tokens[stop:]
        fixed = tokens[slash].text + "".join("0" for token in below if tokens[slash].text)
        has_whole = any(token.kind == "digit" for token in before)
        whole = int(number) if has_whole else 0
        part = Fraction(number) - whole
        if fixed:
            below_value = int(fixed)
            above_value = int(part * below_value + Fraction(1, 2))
        else:
            digits = min(len(below), _MOST_DENOMINATOR_DIGITS)
            near = part.limit_denominator(10**digits - 1)
            above_value, below_value = near.numerator, near.denominator
        if has_whole and above_value == below_value:
            whole, above_value = whole + 1, 0
        shown = _fill_places(before, str(whole) if whole or not above_value else "", self._is_grouped)
        if has_whole and not above_value:
            return shown.rstrip() + _fill_places(after, "", False)
        denominator = fixed or str(below_value)
        return f"{shown}{_fill_places(above, str(above_value), False)}/{denominator}{_fill_places(after, '', False)}"


def _find_slash(tokens: list[Token]) -> int | None:
    """Return the index of a fraction's slash. The slash follows a placeholder and precedes a placeholder or digits."""
    for at, token in enumerate(tokens):
        if token.kind != "slash" or not at or tokens[at - 1].kind != "digit":
            continue
        if token.text or (at + 1 < len(tokens) and tokens[at + 1].kind == "digit"):
            return at
    return None


def _fill_places(tokens: list[Token], digits: str, is_grouped: bool) -> str:
    """Fill placeholders with digits from the right. The first placeholder takes all remaining digits."""
    shown: list[str] = []
    left = sum(token.kind == "digit" for token in tokens)
    rest = digits
    count = 0
    for token in reversed(tokens):
        if token.kind != "digit":
            if token.kind != "comma":
                shown.append(_write_sign(token))
            continue
        left -= 1
        taken = rest if left == 0 else rest[-1:]
        rest = rest[: len(rest) - len(taken)]
        for digit in reversed(taken or {"0": "0", "?": " "}.get(token.text, "")):
            if is_grouped and count and count % 3 == 0 and digit != " ":
                shown.append(",")
            shown.append(digit)
            count += 1
    return "".join(reversed(shown))


def _count_kept(places: list[str], digits: str) -> int:
    """Return how many digits are shown. Trailing zeros are shown only for `0` placeholders."""
    kept = len(places)
    while kept and places[kept - 1] != "0" and digits[kept - 1 : kept] == "0":
        kept -= 1
    return kept


def _write_decimals(tokens: list[Token], digits: str) -> str:
    """Return the text from the decimal point on, without the trailing zeros that the placeholders allow to omit."""
    kept = _count_kept([token.text for token in tokens if token.kind == "digit"], digits)
    shown: list[str] = []
    at = 0
    for token in tokens:
        if token.kind == "digit":
            shown.append(digits[at] if at < kept else " " if token.text == "?" else "")
            at += 1
        elif token.kind != "comma":
            shown.append(_write_sign(token))
    return "".join(shown)


def _write_sign(token: Token) -> str:
    match token.kind:
        case "literal":
            return token.text
        case "point":
            return "."
        case "percent":
            return "%"
        case "slash":
            return f"/{token.text}"
        case _:
            return ""
