"""Papers printed by other programs: TeX, groff and PostScript, WeasyPrint, Qt; or rewritten by Ghostscript.

Rules derived from the PDFs of only two programs may not hold for others. These programs hyphenate, place letters one by
one, move commas towards the letters before them, and write ligatures, Type 1 fonts and pages without tags.

Installation:

    latex        apt install pandoc texlive-latex-extra texlive-fonts-recommended lmodern
    groff        apt install pandoc groff ghostscript
    weasyprint   pip install weasyprint
    wkhtmltopdf  apt install wkhtmltopdf
    ghostscript  apt install ghostscript

The truth of the paper is unchanged. Papers whose truth depends on a layout that a program does not support are skipped.
"""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from corpora.printed.paper import Paper

_BESIDE = r"display:(?:flex|inline-block)|float:|lang=\"(?:ar|he)"
"""Styles that place texts next to each other, and right-to-left languages."""
_WIDE = 80
"""Minimum number of characters in a row that make its table as wide as the page."""
_LONGEST = 60
"""Maximum number of characters of a cell for which its column is widened."""
_PLAIN = re.compile(r"<div[^>]*>((?:(?!</?(?:div|p|table|ul|ol|pre|h\d)\b).)*)</div>", re.S)
_ROFF_SIZES = ".nr GROWPS 4\n.nr PSINCR 2p"
"""Macros that make headings larger than the text, according to their levels."""
_TEX_MINUS = r"\DeclareUnicodeCharacter{2212}{\textminus}"
_TEX_SIGNS = str.maketrans({sign: f"\\{sign}" for sign in "&%$#_{}"})


@dataclass(frozen=True, slots=True)
class Producer:
    """A program that prints papers.

    print: writes a paper as a PDF, with a temporary folder. lacks: pattern of markup that it does not support.
    rewrites: whether it processes Chromium's PDF, which then exists.
    """

    print: Callable[[Paper, Path, Path], None]
    lacks: str
    rewrites: bool = False

    def takes(self, paper: Paper) -> bool:
        is_plain = "chromium" in paper.programs and not paper.has_fields
        return is_plain and not re.search(self.lacks, paper.markup())


def print_paper(producer: Producer, paper: Paper, path: Path) -> bool:
    """Print a paper. Return whether there is a PDF, because some programs lack letters that occur in the paper."""
    with tempfile.TemporaryDirectory(prefix="wq-printed-") as folder:
        try:
            producer.print(paper, path, Path(folder))
        except subprocess.CalledProcessError:
            return False
    return True


def _print_by_latex(paper: Paper, path: Path, folder: Path) -> None:
    """Print by LaTeX. Columns are kept only if there is no table, because in columns, tables cannot break across
    pages.
    """
    size = 10 if paper.size < 10.5 else 11 if paper.size < 11.5 else 12
    options = [f"-Vfontsize={size}pt", "-Vgeometry=margin=22mm", f"-Vheader-includes={_TEX_MINUS}"]
    if "columns:" in paper.markup() and not paper.tables:
        options.append("-Vclassoption=twocolumn")
    if paper.is_landscape:
        options.append("-Vclassoption=landscape")
    if paper.head or paper.foot:
        head, foot = (text.translate(_TEX_SIGNS) for text in (paper.head, paper.foot.replace(" of @", "")))
        foot = foot.replace("\\#", "\\thepage")
        options.append(
            f"-Vheader-includes=\\usepackage{{fancyhdr}}\\pagestyle{{fancy}}\\fancyhf{{}}\\lhead{{{head}}}\\cfoot{{{foot}}}"
        )
    _run("pandoc", "-fhtml", "--pdf-engine=pdflatex", *options, "-o", str(path), text=_simplify(paper))


def _print_by_groff(paper: Paper, path: Path, folder: Path) -> None:
    paper.write_furniture()
    roff = _run("pandoc", "-fhtml", "-tms", "-s", f"-Vheader-includes={_ROFF_SIZES}", text=_simplify(paper))
    pages, script = _run("groff", "-k", "-t", "-ms", "-Tps", "-P-pa4", text=roff), folder / "paper.ps"
    script.write_text(pages, encoding="latin-1")
    _run("ps2pdf", str(script), str(path))


def _print_by_weasyprint(paper: Paper, path: Path, folder: Path) -> None:
    size = f"{paper.width} 240mm" if paper.width else f"A4{' landscape' if paper.is_landscape else ''}"
    boxes = "".join(
        f"@{side}-left{{content:{_count_pages(text)};font-size:7.5pt}}"
        for side, text in (("top", paper.head), ("bottom", paper.foot))
        if text
    )
    paper.css.append(f"@page{{size:{size};margin:{'5mm' if paper.width else '15mm'};{boxes}}}")
    file = folder / "paper.html"
    file.write_text(paper.markup().replace("hyphens:none", "hyphens:auto"), encoding="utf-8")
    _run("weasyprint", str(file), str(path))


def _count_pages(text: str) -> str:
    """Return a CSS value. "#" and "@" in the text are the page number and the number of pages."""
    counters = {"#": "counter(page)", "@": "counter(pages)"}
    return " ".join(counters.get(part) or f'"{part}"' for part in re.split("([#@])", text) if part)


def _print_by_wkhtmltopdf(paper: Paper, path: Path, folder: Path) -> None:
    paper.write_furniture()
    file = folder / "paper.html"
    file.write_text(paper.markup(), encoding="utf-8")
    size = ["--page-width", paper.width, "--page-height", "240mm"] if paper.width else ["-s", "A4"]
    _run("wkhtmltopdf", "-q", *size, "-O", "Landscape" if paper.is_landscape else "Portrait", str(file), str(path))


def _print_again(paper: Paper, path: Path, folder: Path) -> None:
    first = shutil.copy(path, folder)
    _run("ps2pdf", str(first), str(path))


def _simplify(paper: Paper) -> str:
    """Return markup for pandoc: lines as paragraphs, column widths for wide tables, aligned figures."""
    markup = re.sub(r"<svg.*?</svg>|<title>.*?</title>", "", paper.markup(), flags=re.S)
    markup = _PLAIN.sub(r"<p>\1</p>", markup)
    markup = markup.replace('class="n"', 'class="n" style="text-align:right"')
    for place, rows in enumerate(paper.tables):
        widths = [min(max(len(word) for word in column), _LONGEST) + 2 for column in zip(*rows, strict=True)]
        if sum(widths) > _WIDE:
            cols = "".join(f'<col style="width:{100 * width / sum(widths):.0f}%">' for width in widths)
            markup = re.sub(rf'(<table id="t{place}"[^>]*>)', rf"\1{cols}", markup)
    return markup


def _run(*command: str, text: str = "") -> str:
    done = subprocess.run(command, check=True, input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout.decode("latin-1" if command[0] == "groff" else "utf-8")


PRODUCERS: Mapping[str, Producer] = {
    "latex": Producer(_print_by_latex, _BESIDE),
    "groff": Producer(_print_by_groff, _BESIDE),
    "weasyprint": Producer(_print_by_weasyprint, "overflow:hidden"),
    "wkhtmltopdf": Producer(_print_by_wkhtmltopdf, _BESIDE),
    "ghostscript": Producer(_print_again, "^$", rewrites=True),
}
