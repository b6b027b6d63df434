"""Built-in format codes that workbooks refer to by number, in their American English form."""

_ACCOUNTING = '_({sign}* #,##0{cents}_);_({sign}* \\(#,##0{cents}\\);_({sign}* "-"{gap}_);_(@_)'
_CODES = {
    0: "General",
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    5: '"$"#,##0_);\\("$"#,##0\\)',
    6: '"$"#,##0_);[Red]\\("$"#,##0\\)',
    7: '"$"#,##0.00_);\\("$"#,##0.00\\)',
    8: '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)',
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    12: "# ?/?",
    13: "# ??/??",
    14: "m/d/yy",
    15: "d-mmm-yy",
    16: "d-mmm",
    17: "mmm-yy",
    18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM",
    20: "h:mm",
    21: "h:mm:ss",
    22: "m/d/yy h:mm",
    37: "#,##0_);\\(#,##0\\)",
    38: "#,##0_);[Red]\\(#,##0\\)",
    39: "#,##0.00_);\\(#,##0.00\\)",
    40: "#,##0.00_);[Red]\\(#,##0.00\\)",
    41: _ACCOUNTING.format(sign="", cents="", gap=""),
    42: _ACCOUNTING.format(sign='"$"', cents="", gap=""),
    43: _ACCOUNTING.format(sign="", cents=".00", gap="??"),
    44: _ACCOUNTING.format(sign='"$"', cents=".00", gap="??"),
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mmss.0",
    48: "##0.0E+0",
    49: "@",
}
# 27 to 36 and 50 to 81 are East Asian and Thai formats for the same kinds of dates, times and numbers.
_EAST = {
    **dict.fromkeys([*range(27, 32), 36, *range(50, 59)], 14),
    **dict.fromkeys(range(32, 36), 21),
    **dict(zip(range(59, 63), range(1, 5), strict=True)),
    **dict(zip(range(67, 82), (9, 10, 12, 13, 14, 14, 15, 16, 17, 20, 21, 22, 45, 46, 47), strict=True)),
}


def builtin(number: int) -> str:
    """Return the built-in code for a number, or `General` for an unknown number."""
    return _CODES.get(_EAST.get(number, number), "General")
