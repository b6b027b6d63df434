"""Synthetic pages and parts of a short-video platform's shop, in the shape of recorded ones."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from webquarry.core.types import Wire

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
PRODUCT, SELLER, CATEGORY = "1729000000000000001", "7495000000000000001", "601001"


def component(name: str, data: Any = None, **more: Any) -> dict[str, Any]:
    row: dict[str, Any] = {"component_type": name, "component_name": name, "fe_config": {}, **more}
    return row if data is None else {**row, "component_data": data}


def router(*components: Any, region: str = "US", route: str = "(region)/page", **config: Any) -> dict[str, Any]:
    return {
        "loaderData": {
            "layout": None,
            route: {
                "basic_info": {"lang": "en", "is_login": False},
                "region_info": {"path_region": region, "real_region": region},
                "page_config": {"global_data": {}, "components_map": list(components), **config},
            },
        },
        "errors": None,
    }


def html(data: Any, title: str = "Made shop", body: str = "") -> bytes:
    script = json.dumps(data, ensure_ascii=False).replace("</", "<\\/")
    return (
        f'<!doctype html><html><head><meta charset="utf-8"><title>{title}</title></head><body>{body}'
        f'<script type="application/json" id="__MODERN_ROUTER_DATA__">{script}</script></body></html>'
    ).encode()


def wire(body: Any, url: str = "https://www.tiktok.com/shop/pdp/1", status: int = 200) -> Wire:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Wire(body=content, url=url, requested_url=url, status=status, headers={}, fetched_at=NOW)


def image(name: str) -> dict[str, Any]:
    return {"height": 800, "width": 800, "uri": f"tos/{name}", "url_list": [f"https://img.example.com/{name}.webp"]}


def price(sku: str, now: str, before: str, off: str, currency: str = "USD") -> dict[str, str]:
    return {
        "sku_id": sku,
        "currency_name": currency,
        "sale_price_decimal": now,
        "origin_price_decimal": before,
        "sale_price_format": now,
        "discount_decimal": off,
        "discount_format": f"{round(float(off) * 100)}%",
    }


def variant(sku: str, value: tuple[str, str], stock: int) -> dict[str, Any]:
    return {
        "sku_id": sku,
        "sku_name": value[1].upper(),
        "sku_status": 1,
        "property_pairs": [
            {
                "sku_property_id": "100000",
                "sku_property_value_id": value[0],
                "sku_property_name": "Color",
                "sku_property_value_name": value[1],
            }
        ],
        "sku_quantity": {"warehouse_id": "1", "available_quantity": stock},
        "sku_stock_status": 1 if stock else 2,
    }


def shop_info(seller_id: str = SELLER, **more: Any) -> dict[str, Any]:
    return {
        "seller_id": seller_id,
        "sold_count": 79624,
        "on_sell_product_count": 52,
        "review_count": 4061,
        "followers_count": 5969,
        "video_count": 44,
        "shop_name": "Made Goods",
        "shop_logo": image("logo"),
        "shop_rating": "4.6",
        "shop_link": f"https://www.tiktok.com/shop/store/made-goods/{seller_id}",
        "format_sold_count": "79.6K",
        "format_followers_count": "5.9K+",
        "region": "US",
        "display_on_sell_product_count": "52",
        "store_sub_score": [
            {"type": 1, "score": 0.99, "score_percentage": 99},
            {"type": 3, "score": 0.89, "score_percentage": "89"},
        ],
        "creator_name": "made.goods",
        "desc": None,
        **more,
    }


def model_data(product_id: str = PRODUCT) -> dict[str, Any]:
    """Return the data of a product in the layout of 2026."""
    black, sage = ("7001", "Black"), ("7002", "Sage")
    text = [
        {"type": "text", "text": "A bottle that keeps warm."},
        {"type": "ul", "content": ["Steel", "510 ml"]},
        {"type": "image", "image": image("text")},
    ]
    skus = ("1729000000000000011", "1729000000000000012")
    return {
        "error_code": 0,
        "error_message": "success",
        "categories": [
            {"category_id": CATEGORY, "category_name": "Sports & Outdoor"},
            {"category_id": "601002", "category_name": "Sports Bottles"},
        ],
        "product_info": {
            "product_model": {
                "product_id": product_id,
                "seller_id": SELLER,
                "sold_count": "16031",
                "name": "Steel Bottle, 510 ml",
                "description": json.dumps(text),
                "images": [image("main1"), image("main2")],
                "sale_properties": [
                    {
                        "property_id": "100000",
                        "property_name": "Color",
                        "property_values": [
                            {"property_value_id": black[0], "property_value_name": black[1]},
                            {
                                "property_value_id": sage[0],
                                "property_value_name": sage[1],
                                "image": image("sage"),
                            },
                        ],
                    }
                ],
                "product_properties": [
                    {"property_name": "Material", "property_values": [{"property_value_name": "Steel"}]}
                ],
                "skus": [variant(skus[0], black, 0), variant(skus[1], sage, 37)],
                "videos": [{"id": "v1"}],
            },
            "promotion_model": {
                "promotion_product_price": {
                    "min_price": price(skus[0], "9.7", "10.5", "0.08"),
                    "skus_price": {
                        skus[0]: price(skus[0], "9.7", "10.5", "0.08"),
                        skus[1]: price(skus[1], "9.9", "12", "0.18"),
                    },
                    "range_price": {"range_price": "9.70 - 9.90"},
                },
                "promotion_logistic_list": [{"deliveryName": "Standard shipping", "freeShipping": True}],
            },
            "seller_model": {"shop_name": "Made Goods"},
        },
        "review_info": {
            "has_more": True,
            "total_reviews": "1660",
            "product_reviews": [
                {"review_rating": 4, "review_text": "Keeps tea warm.", "review_time": "1788307200000"},
                {"review_rating": 5, "review_text": "As shown."},
            ],
            "review_ratings": {
                "review_count": "1660",
                "overall_score": 4.4,
                "rating_result": {"1": "120", "2": "57", "3": "79", "4": "169", "5": "1235"},
            },
        },
        "shop_info": shop_info(),
    }


def base_data(product_id: str = PRODUCT) -> dict[str, Any]:
    """Return the data of a product in the layout of 2025."""
    return {
        "sale_region": "US",
        "error_code": 0,
        "error_message": "",
        "categories": [
            {"category_id": CATEGORY, "level": 1, "is_leaf": False, "parent_id": "0", "category_name": "Sports"},
            {"category_id": "601002", "level": 2, "is_leaf": True, "parent_id": CATEGORY, "category_name": "Bottles"},
        ],
        "product_info": {
            "product_id": product_id,
            "status": 1,
            "seller_id": SELLER,
            "seller": {
                "seller_id": SELLER,
                "name": "Made Goods",
                "avatar": image("logo"),
                "product_count": 110,
                "seller_location": "United States of America",
            },
            "product_base": {
                "title": "Steel Bottle",
                "desc_detail": json.dumps([{"type": "text", "text": "Keeps warm."}]),
                "images": [image("main1")],
                "specifications": [{"name": "Material", "value": "Steel"}],
                "sold_count": 30762,
                "price": {
                    "real_price": "$24.17 - 24.69",
                    "min_sku_price": "24.17",
                    "max_sku_price": "24.69",
                    "min_sku_original_price": "31.75",
                    "max_sku_original_price": "31.75",
                    "currency": "USD",
                    "discount": "-24%",
                },
            },
            "sale_props": [
                {
                    "prop_id": "1",
                    "prop_name": "Color",
                    "sale_prop_values": [{"prop_value_id": "7001", "prop_value": "Black", "image": image("black")}],
                }
            ],
            "skus": [
                {
                    "sku_id": "1729000000000000021",
                    "sku_sale_props": [{"prop_name": "Color", "prop_value_id": "7001", "prop_value": "Black"}],
                    "stock": 25,
                    "status": 1,
                    "price": {
                        "real_price": {"price_str": "$24.17", "price_val": "24.17", "currency": "USD"},
                        "original_price_value": "31.75",
                        "discount": "-24%",
                    },
                }
            ],
            "logistic": {
                "delivery_name": "Standard shipping",
                "shipping_fee": {"price_val": "7.8", "currency": "USD"},
                "free_shipping": False,
                "delivery_min_days": 5,
                "delivery_max_days": 8,
            },
            "product_detail_review": {
                "product_rating": 4.5,
                "review_count": 2868,
                "review_count_str": "2.9k",
                "review_items": [
                    {
                        "review": {
                            "review_id": "7397000000000000001",
                            "rating": 5,
                            "display_text": "Fits.",
                            "images": [image("review")],
                            "review_timestamp": "1722407993343",
                        },
                        "sku_specification": "Color: Black",
                        "review_user": {"name": "R***r"},
                        "is_anonymous": False,
                    }
                ],
            },
        },
        "shop_performance": [{"score_percentile": 99, "type": 1}],
    }


def product_page(data: Mapping[str, Any], region: str = "US") -> bytes:
    return html(router(component("page_header"), component("product_info", data), region=region))


def item(number: int, **more: Any) -> dict[str, Any]:
    """Return a product in the form used in lists."""
    product_id = str(1729000000000001000 + number)
    return {
        "product_id": product_id,
        "title": f"Made product {number}",
        "image": image(f"item{number}"),
        "product_price_info": {
            "sku_id": "1",
            "currency_name": "USD",
            "currency_symbol": "$",
            "sale_price_decimal": "30.8",
            "origin_price_decimal": "57",
            "sale_price_format": "30.80",
            "discount_format": "46%",
            "discount_decimal": "0.46",
        },
        "rate_info": {"score": 4.5, "review_count": 94616},
        "sold_info": {"sold_count": 1300867},
        "seller_info": {"seller_id": SELLER},
        "seo_url": {"canonical_url": f"https://www.tiktok.com/shop/pdp/{product_id}", "slug": f"made-{number}"},
        **more,
    }
