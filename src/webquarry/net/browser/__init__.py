"""The browser: pages whose text exists only once their scripts have run. Nothing starts before the first page."""

from webquarry.net.browser.browser import Browser
from webquarry.net.browser.rendered import Rendered

__all__ = ["Browser", "Rendered"]
