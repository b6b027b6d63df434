"""Delimited text, and other plain text, which is recognized only by its beginning."""

from collections.abc import Mapping
from functools import partial

from convert_support.grown.kinds import Builder, pump

_CSV_UNITS = (
    *(
        '"',
        '""',
        '"\n',
        '"a\n',
        '","',
        '"",',
        ',"',
        ',"a',
        '"a",',
        '"a"b,',
        ' "',
        '"\r',
        "\r",
        "\n",
        "\r\n",
        "\n\r",
        ",",
    ),
    *(
        ";",
        "\t",
        "|",
        "^",
        ":",
        " ",
        "a,b\n",
        "a;b,c\n",
        '"a\nb",c\n',
        "a\tb\r",
        "word ",
        "0:0 ",
        "://",
        "é,",
        "\u2028",
        "0",
    ),
)
_CSV_ENDS = (("", ""), ('a,"', "\n"), ("a,b\n1,2\n", '"'), ('"', "x"), ("sep=;\n", ""))


def make_delimited() -> Mapping[str, Builder]:
    found: dict[str, Builder] = {}
    for unit in _CSV_UNITS:
        for start, end in _CSV_ENDS:
            name = f"csv {start!a} + {unit!a} * n + {end!a}"
            found[name] = partial(pump, start=start, unit=unit, end=end)
    found["csv of one row"] = lambda n: (",".join(["a"] * (8 * n)) + "\n" + ",".join(["1"] * (8 * n))).encode()
    found["csv of rows that differ"] = lambda n: "\n".join("a," * (row % 90) + "b" for row in range(n)).encode()
    found["csv of empty lines"] = lambda n: b"a,1\n\n" * n
    found["csv of tables"] = lambda n: b"a,b\nc,1\n\n" * n
    found["csv of texts and tables"] = lambda n: b"a\n\nb\n\n" * n + b"a,b\nc,1\n\n" * 2
    found["csv of a table and texts"] = lambda n: b"a,b\nc,1\n\n" + b"t\n\n" * n + b"d,2\n"
    found["csv of tables side by side"] = lambda n: (b"a,b,,," * n + b"\n") + (b"c,1,,," * n + b"\n") + b",2\n"
    found["csv of empty columns"] = lambda n: b"a,,b,,,,c\n" * n
    found["csv in utf-16"] = lambda n: ("a,b\n" * n).encode("utf-16")
    found["csv of no encoding"] = lambda n: b"\xe9\x80,\xff\n" * n
    return found


_DETECTED = (
    "<",
    "<!--",
    "<!-- -->",
    "<?a?>",
    "\n",
    " ",
    "a:\n",
    "a: b\n c\n",
    "{",
    "[ ",
    "<!doctype ",
    "<a:",
    "%PDF-",
    "\ufeff",
    "sep=",
)


def make_plain() -> Mapping[str, Builder]:
    return {f"text of {unit!a}": partial(pump, unit=unit, end="x") for unit in _DETECTED}
