"""Files of each format in which one feature grows: one builder for each feature that a hostile author can repeat.

A builder takes the number of repetitions and returns the file. The builder's run time is roughly proportional to the
file's size.
"""

from collections.abc import Mapping

from convert_support.grown.archives import make_archives
from convert_support.grown.delimited import make_delimited, make_plain
from convert_support.grown.kinds import Builder
from convert_support.grown.lists_of_docs import make_doc_lists
from convert_support.grown.lists_of_numbers import make_numbers_lists
from convert_support.grown.lists_of_pdfs import make_pdf_lists
from convert_support.grown.lists_of_slides import make_odp_lists, make_pptx_lists
from convert_support.grown.lists_of_texts import make_docx_lists, make_odt_lists
from convert_support.grown.odf import make_ods, make_odt
from convert_support.grown.pdf import make_pdf
from convert_support.grown.records import make_numbers, make_xls
from convert_support.grown.slides_books_mails import make_books, make_mails, make_slides
from convert_support.grown.texts import make_doc, make_docx
from convert_support.grown.workbooks import make_xlsx

FILES: Mapping[str, Builder] = {
    **make_delimited(),
    **make_xlsx(),
    **make_ods(),
    **make_xls(),
    **make_numbers(),
    **make_numbers_lists(),
    **make_docx(),
    **make_docx_lists(),
    **make_odt(),
    **make_odt_lists(),
    **make_doc(),
    **make_doc_lists(),
    **make_pdf(),
    **make_pdf_lists(),
    **make_slides(),
    **make_pptx_lists(),
    **make_odp_lists(),
    **make_books(),
    **make_mails(),
    **make_archives(),
    **make_plain(),
}
"""Builders by the feature that grows."""
