"""Small answers: markdown split into blocks, blocks ranked by a question, and a selection within a token budget.

    split      markdown ─▶ blocks with positions, headings and pages       blocks.split
    rank       question ─▶ a score for each block (BM25)                   ranking.rank
    select     scores, budget ─▶ the blocks to show, in reading order      selection.select, selection.outline
    write      the chosen blocks as markdown                               writing.write

Everything here is pure, deterministic and linear in the length of the markdown.
"""
