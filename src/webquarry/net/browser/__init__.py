"""The browser: pages whose text exists only once their scripts have run. Nothing starts before the first page."""

from webquarry.net.browser.browser import Browser

__all__ = ["Browser"]
