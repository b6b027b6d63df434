"""Headless browser for pages whose text exists only after their scripts have run.

The browser is started for the first page.
"""

from webquarry.net.browser.browser import Browser

__all__ = ["Browser"]
