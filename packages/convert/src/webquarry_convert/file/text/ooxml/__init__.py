"""Shared conversion of Word's and PowerPoint's XML documents: relationships of parts (`package`), diagrams and picture
descriptions (`graphics`), and `charts`.
"""
