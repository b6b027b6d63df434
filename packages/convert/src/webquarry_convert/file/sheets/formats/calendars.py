"""Names of months and weekdays in the languages that a format code can select."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Calendar:
    """Names of months from January on, and of weekdays from Sunday on."""

    months: tuple[str, ...]
    short_months: tuple[str, ...]
    days: tuple[str, ...]
    short_days: tuple[str, ...]


def _make_calendar(months: str, days: str, short_months: str = "", short_days: str = "") -> Calendar:
    """Build a calendar. By default, short names are the first three letters of the names."""
    long_months, long_days = tuple(months.split()), tuple(days.split())
    return Calendar(
        long_months,
        tuple(short_months.split()) or tuple(name[:3] for name in long_months),
        long_days,
        tuple(short_days.split()) or tuple(name[:3] for name in long_days),
    )


ENGLISH = _make_calendar(
    "January February March April May June July August September October November December",
    "Sunday Monday Tuesday Wednesday Thursday Friday Saturday",
)
_EAST_MONTHS = " ".join(f"{number}月" for number in range(1, 13))
_CHINESE_MONTHS = "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月"

CALENDARS = {
    0x04: _make_calendar(
        _CHINESE_MONTHS,
        "星期日 星期一 星期二 星期三 星期四 星期五 星期六",
        _EAST_MONTHS,
        "周日 周一 周二 周三 周四 周五 周六",
    ),
    0x06: _make_calendar(
        "januar februar marts april maj juni juli august september oktober november december",
        "søndag mandag tirsdag onsdag torsdag fredag lørdag",
    ),
    0x07: _make_calendar(
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag",
        "Jan Feb Mrz Apr Mai Jun Jul Aug Sep Okt Nov Dez",
        "So Mo Di Mi Do Fr Sa",
    ),
    0x09: ENGLISH,
    0x0A: _make_calendar(
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "domingo lunes martes miércoles jueves viernes sábado",
    ),
    0x0C: _make_calendar(
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "dimanche lundi mardi mercredi jeudi vendredi samedi",
        "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
        "dim. lun. mar. mer. jeu. ven. sam.",
    ),
    0x10: _make_calendar(
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "domenica lunedì martedì mercoledì giovedì venerdì sabato",
    ),
    0x11: _make_calendar(
        _EAST_MONTHS, "日曜日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日", _EAST_MONTHS, "日 月 火 水 木 金 土"
    ),
    0x12: _make_calendar(
        "1월 2월 3월 4월 5월 6월 7월 8월 9월 10월 11월 12월",
        "일요일 월요일 화요일 수요일 목요일 금요일 토요일",
        "1 2 3 4 5 6 7 8 9 10 11 12",
        "일 월 화 수 목 금 토",
    ),
    0x13: _make_calendar(
        "januari februari maart april mei juni juli augustus september oktober november december",
        "zondag maandag dinsdag woensdag donderdag vrijdag zaterdag",
        "jan feb mrt apr mei jun jul aug sep okt nov dec",
        "zo ma di wo do vr za",
    ),
    0x14: _make_calendar(
        "januar februar mars april mai juni juli august september oktober november desember",
        "søndag mandag tirsdag onsdag torsdag fredag lørdag",
    ),
    0x16: _make_calendar(
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado",
    ),
    0x1D: _make_calendar(
        "januari februari mars april maj juni juli augusti september oktober november december",
        "söndag måndag tisdag onsdag torsdag fredag lördag",
    ),
}
"""Calendars by the primary language of a Windows language identifier (its low ten bits)."""
