"""ScrapeCreators' answers about one product: no whole one is on record. `scrapecreators` asks for them."""

from webquarry.core.types import Provider
from webquarry.extractors.shortvideo_shop.sources.scrapecreators import TITLE

SCRAPECREATORS_PRODUCT = Provider(
    name="scrapecreators_product", title=TITLE, needs=("scrapecreators_key",), unproven=True
)
