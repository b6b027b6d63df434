"""ScrapeCreators' responses about one product. None is recorded in full. `scrapecreators` makes the requests."""

from webquarry.core.types import Provider
from webquarry.extractors.shortvideo_shop.sources.scrapecreators import TITLE

SCRAPECREATORS_PRODUCT = Provider(
    name="scrapecreators_product", title=TITLE, needs=("scrapecreators_key",), unproven=True
)
