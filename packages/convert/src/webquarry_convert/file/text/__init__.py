"""Conversion of text documents and slides to trees of HTML elements, which the page writer turns into markdown.

`docx`, `pptx`, `odt` and `odp` each have `read(body) -> Document`. They share the parts of an archive (`parts`), the
walk over XML (`walk`), the line of formatted runs (`line`), the blocks of a container with their lists (`blocks`),
tables (`table`), slides (`slides`, `placement`), formulas (`formula`), the meaning of style names (`style_names`) and
metadata (`properties`). All of them walk untrusted trees with an explicit stack, except groups of shapes, whose nesting
is limited.
"""
