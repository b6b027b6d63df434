"""Conversion of papers to files, with one run of Chromium or LibreOffice."""

import asyncio
import html
from collections.abc import Mapping
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from corpora.libreoffice import export
from corpora.printed import acroform
from corpora.printed.paper import Paper

TEXTS = ("docx", "doc", "odt")
_AT_ONCE = 2
_FURNITURE = "font-size:7.5pt;width:100%;margin:0 40pt;font-family:'DejaVu Sans'"


async def print_by_chromium(papers: Mapping[Path, Paper], chromium: str) -> None:
    """Print papers. papers: by target file. chromium: path of the program."""
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=chromium)
        slots = asyncio.Semaphore(_AT_ONCE)
        await asyncio.gather(*(_print_page(browser, slots, path, paper) for path, paper in papers.items()))
        await browser.close()


async def _print_page(browser: Browser, slots: asyncio.Semaphore, path: Path, paper: Paper) -> None:
    async with slots:
        page = await browser.new_page()
        await page.set_content(paper.markup())
        margin = "15mm" if not paper.width else "5mm"
        size: dict[str, str] = {"width": paper.width, "height": "240mm"} if paper.width else {"format": "A4"}
        await page.pdf(
            path=path,
            landscape=paper.is_landscape,
            print_background=True,
            tagged=paper.is_tagged,
            display_header_footer=bool(paper.head or paper.foot),
            header_template=_write_template(paper.head),
            footer_template=_write_template(paper.foot),
            margin={"top": margin, "bottom": margin, "left": margin, "right": margin},
            **size,  # type: ignore[arg-type]  # names of playwright's own parameters
        )
        await page.close()
        if paper.has_fields:
            acroform.make_fields(path)


def _write_template(text: str) -> str:
    inner = html.escape(text).replace("#", '<span class="pageNumber"></span>')
    return f'<div style="{_FURNITURE}">{inner.replace("@", chr(60) + "span class=totalPages></span>")}</div>'


def write_by_libreoffice(papers: Mapping[Path, Paper], soffice: str, suffix: str = "pdf") -> None:
    """Write papers with LibreOffice, without headers and footers. suffix: "pdf", or one of `TEXTS`."""
    for is_tagged in (False, True):
        sources = {path: paper.markup() for path, paper in papers.items() if paper.is_tagged == is_tagged}
        options = {"UseTaggedPDF": {"type": "boolean", "value": str(is_tagged).lower()}} if suffix == "pdf" else {}
        if sources:
            export(sources, soffice, "html", suffix, reader="HTML (StarWriter)", options=options)
