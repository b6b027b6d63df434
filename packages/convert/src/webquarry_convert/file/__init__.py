"""Conversion of files to markdown: PDF, Word, Excel, PowerPoint, CSV, OpenDocument, Apple Numbers, EPUB, mail and
images.

`detect` detects the type of a file, and `readers` converts it. Run both in a process that can be killed: they limit
sizes and take linear time, but they read untrusted files with third-party libraries.
"""
