"""Share of known content that the converter's markdown keeps on generated pages, compared with trafilatura, by kind.

python -m bench.sites # 12 seeds of each kind; the odd half is reported python -m bench.sites --half even # the half for
choosing rules python -m bench.sites --kinds phpbb recipe python -m bench.sites --held-out # kinds that are not used for
training python -m bench.sites --show phpbb 2 # one page: its HTML, its markdown, and the missing parts
"""

import argparse
from collections import Counter
from collections.abc import Callable, Mapping

import trafilatura
from corpora.sites.kinds import HELD_OUT, KINDS, make_page

from bench.site_score import MEASURES, missed, score
from bench.table import show
from webquarry_convert.page import to_markdown

Sums = dict[str, tuple[int, int]]


def _extract(html: str, url: str) -> str:
    return trafilatura.extract(
        html, url=url, output_format="markdown", include_links=True, include_images=True, include_tables=True,
        include_formatting=True, include_comments=True,
    ) or ""  # fmt: skip


CONVERTERS: Mapping[str, Callable[[str, str], str]] = {"ours": to_markdown, "trafilatura": _extract}


def measure(kinds: list[str], seeds: list[int]) -> None:
    sums: dict[tuple[str, str], Sums] = {}
    for kind in kinds:
        for name, convert in CONVERTERS.items():
            total: dict[str, Counter[str]] = {measure: Counter() for measure in MEASURES}
            for seed in seeds:
                page = make_page(kind, seed)
                for measure, (kept, count) in score(page.truth, convert(page.html, page.url)).items():
                    total[measure].update(kept=kept, count=count)
            sums[kind, name] = {measure: (each["kept"], each["count"]) for measure, each in total.items()}
    for name in CONVERTERS:
        rows = [(kind, *(_share(*sums[kind, name][measure]) for measure in MEASURES)) for kind in kinds]
        rows.append(("mean of kinds", *(_mean(measure, name, kinds, sums) for measure in MEASURES)))
        notes = (f"{measure}: {what}" for measure, what in MEASURES.items()) if name == "ours" else ()
        show(f"{name}, {len(kinds) * len(seeds)} pages", ("kind", *MEASURES), rows, *notes)


def _share(kept: int, count: int) -> str:
    return f"{kept / count:.3f}" if count else ""


def _mean(measure: str, name: str, kinds: list[str], sums: Mapping[tuple[str, str], Sums]) -> str:
    shares = [kept / count for kind in kinds for kept, count in [sums[kind, name][measure]] if count]
    return f"{sum(shares) / len(shares):.3f}" if shares else ""


def show_page(kind: str, seed: int) -> None:
    page = make_page(kind, seed)
    markdown = to_markdown(page.html, page.url)
    print(page.html, markdown, *missed(page.truth, markdown), sep="\n\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.sites")
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--half", choices=("even", "odd"), default="odd")
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=[*KINDS, *HELD_OUT])
    parser.add_argument("--held-out", dest="kinds", action="store_const", const=list(HELD_OUT))
    parser.add_argument("--show", nargs=2, metavar=("KIND", "SEED"))
    chosen = parser.parse_args()
    if chosen.show:
        show_page(chosen.show[0], int(chosen.show[1]))
    else:
        measure(chosen.kinds, list(range(chosen.half == "odd", chosen.seeds, 2)))
