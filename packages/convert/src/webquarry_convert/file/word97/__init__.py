"""Word's binary documents (`.doc`) of Word 97 to 2003, and those of Word 6 and 95.

    streams      the parts of the compound file
    header       the file information block: which parts of which stream hold what
    pieces       the text, which lies in pieces anywhere in the main stream
    sprms        single property modifiers: what a run of bytes says about letters, paragraphs, rows
    formatted    where in the main stream which of them hold
    narrow       8-bit text that is not Western
    letters      what the modifiers of a run say together; `paragraphs` likewise
    styles       headings, titles, listings, and what a paragraph takes from its style
    fonts        their names and character sets; `codepages`: which code page 8-bit text is in
    numbering    lists, and how far each has counted
    source       all of these: runs and paragraphs between two positions
    tables       paragraphs in cells, cells in rows
    forms        the state of a form's field; `pictures`: what is said of one in words
    body         a story's paragraphs as blocks
    properties   title and author
    document     the text, its text boxes and its notes

All offsets, counts and lengths are foreign: each part is read no further than its bytes reach.
"""

from webquarry_convert.file.word97.document import read

__all__ = ["read"]
