"""Export of documents by LibreOffice, with one run per type."""

import json
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

FILTERS: Mapping[str, str] = {
    "pdf": "writer_pdf_Export",
    "docx": "MS Word 2007 XML",
    "doc": "MS Word 97",
    "odt": "writer8",
    "xlsx": "Calc MS Excel 2007 XML",
    "xls": "MS Excel 97",
    "ods": "calc8",
    "pptx": "Impress MS PowerPoint 2007 XML",
    "odp": "impress8",
}
"""LibreOffice's export filters by type."""


def export(
    sources: Mapping[Path, str],
    soffice: str,
    source_suffix: str,
    suffix: str,
    *,
    reader: str = "",
    options: Mapping[str, object] | None = None,
) -> None:
    """Export the sources.

    sources: source by target file. reader: name of LibreOffice's import filter. suffix: one of `FILTERS`. options:
    options of the export filter.
    """
    with tempfile.TemporaryDirectory(prefix="wq-printed-") as folder:
        files = []
        for path, text in sources.items():
            file = Path(folder) / f"{path.stem}.{source_suffix}"
            file.write_text(text, encoding="utf-8")
            files.append(str(file))
        more = f":{json.dumps(options)}" if options else ""
        command = [
            soffice,
            "--headless",
            f"-env:UserInstallation=file://{folder}/profile",
            *([f"--infilter={reader}"] if reader else []),
            "--convert-to",
            f"{suffix}:{FILTERS[suffix]}{more}",
            "--outdir",
            str(next(iter(sources)).parent),
        ]
        subprocess.run([*command, *files], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if missing := [path.name for path in sources if not path.exists()]:
        raise SystemExit(f"LibreOffice wrote no {', '.join(missing)}.")
