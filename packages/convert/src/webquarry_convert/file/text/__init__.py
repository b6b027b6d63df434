"""Text documents and slides as trees of HTML's elements, which the page writer turns into markdown.

`docx`, `pptx`, `odt` and `odp` each have `read(body) -> Document`. They share the parts of an archive
(`parts`), the walk over XML (`walk`), the line of formatted runs (`line`), the blocks of a container with their lists
(`blocks`), tables (`table`), slides (`slides`, `placement`), formulas (`formula`), what names of styles say
(`style_names`) and what a file says of itself (`properties`). All walk foreign trees with a stack of their own, but for
groups of shapes, whose depth is bounded.
"""
