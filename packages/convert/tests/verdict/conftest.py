from collections.abc import Mapping

import pytest

from convert_support.verdicts import PAGES, Verdicts, judged_pages


@pytest.fixture(scope="session")
def verdicts() -> Mapping[str, Verdicts]:
    """Return the verdicts on all evaluation pages. They are computed only once."""
    if not PAGES.is_dir():
        pytest.skip("the evaluation pages are not here")
    return judged_pages()
