"""Pages of the shop without a complete recorded response. `shop` fetches and parses them like the recorded page."""

from typing import Final

from webquarry.extractors.shortvideo_shop.sources.shop.shop_page import make_page_provider

SHOP_PRODUCT: Final = make_page_provider("tiktok_shop_product", "TikTok Shop's product page (region)", unproven=True)
SHARED_PRODUCT: Final = make_page_provider("tiktok_shared_product", "TikTok Shop's shared product page", unproven=True)
SELLER_PRODUCT: Final = make_page_provider("tiktok_seller_product", "A product page of the seller", unproven=True)
WWW_STORE: Final = make_page_provider("tiktok_store", "TikTok Shop's store page (www)", unproven=True)
SHOP_STORE: Final = make_page_provider("tiktok_shop_store", "TikTok Shop's store page (region)", unproven=True)
WWW_CATEGORY: Final = make_page_provider("tiktok_category", "TikTok Shop's category page (www)", unproven=True)
SHOP_CATEGORY: Final = make_page_provider("tiktok_shop_category", "TikTok Shop's category page (region)", unproven=True)
