"""Conversion that Word's and PowerPoint's XML documents share.

`package` reads the relationships of parts, `graphics` reads diagrams and picture descriptions, and `charts` reads
charts.
"""
