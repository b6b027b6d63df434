"""Conversion of binary Word documents (`.doc`): Word 97 to 2003, and Word 6 and 95.

    streams           the parts of the compound file
    header            the file information block, which locates the structures in the streams
    pieces            the text, stored in pieces throughout the main stream
    sprms             single property modifiers: formatting of characters, paragraphs and rows
    formatting_runs   the modifiers of each range of the main stream
    narrow            8-bit text that is not Western
    characters        the combined character modifiers of a run; `paragraphs` likewise
    styles            headings, titles, code, and the formatting that paragraphs inherit from styles
    fonts             their names and character sets; `codepages`: the code page of 8-bit text
    numbering         lists and their counters
    source            all of these: runs and paragraphs between two positions
    tables            paragraphs grouped into cells, and cells into rows
    forms             the values of form fields; `pictures`: the descriptions of pictures
    body              a story's paragraphs as blocks
    properties        title and author
    document          the text, its text boxes and its notes

All offsets, counts and lengths are untrusted: each structure is read only as far as its bytes reach.
"""

from webquarry_convert.file.word97.document import read

__all__ = ["read"]
