"""Generated and hostile markdown."""

from hypothesis import strategies as st

LINE = st.sampled_from(
    [
        *("# One", "## Two", "### Three ###", "####### no heading", "", "  ", "\t", "plain words " * 9, "x" * 3000),
        *(
            "A sentence. " * 200,
            "[link](https://example.com/a_(b)) " * 60,
            "> quoted",
            "- item",
            "* other",
            "12. twelfth",
        ),
        *("  - nested " + "word " * 90, "   continued", "| name | value |", "| --- | --- |", "| a | [x](y) |"),
        *(
            "| b | " + "long " * 80 + "|",
            "```py",
            "```",
            "~~~~",
            "> ```",
            "- ```js",
            "    code   line",
            "…",
            "\0",
            "é中文字",
        ),
    ]
)
MARKDOWN: st.SearchStrategy[str] = st.lists(LINE, max_size=60).map("\n".join) | st.text(max_size=300)

HOSTILE = {
    "brackets": "[" * 10,
    "words": "a ",
    "rows": "| a |\n| --- |\n",
    "fences": "```\n",
    "nested fences": "- " * 5 + "```\n",
    "headings": "# a\n## b\n",
    "items": "- a\n\n  b\n\n",
    "quotes": "> " * 20 + "\n",
    "escapes": "\\[\\",
    "blank": "\n \n",
}
