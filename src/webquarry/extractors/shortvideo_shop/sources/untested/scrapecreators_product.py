"""ScrapeCreators' responses about one product, without a complete recorded response. `scrapecreators` requests them."""

from webquarry.core.types import Provider
from webquarry.extractors.shortvideo_shop.sources.scrapecreators import TITLE

SCRAPECREATORS_PRODUCT = Provider(
    name="scrapecreators_product", title=TITLE, needs=("scrapecreators_key",), unproven=True
)
