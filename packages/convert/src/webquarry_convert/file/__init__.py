"""Files as markdown: PDF, Word, Excel, PowerPoint, CSV, OpenDocument, Apple Numbers, EPUB, mail, images.

`detect` tells what a file is, `readers` convert it. Both run where they can be killed: they are bounded in size, and
linear, but read what strangers made with libraries that others wrote.
"""
