"""Migration scripts as SQL text, written by Alembic and run by the backend that asked.

Alembic works in its offline mode, so migrations are statements only: none of them reads rows into Python.
That keeps both backends on their own drivers and the whole upgrade in one transaction.
"""

from io import StringIO
from pathlib import Path

from alembic import command
from alembic.config import Config

FOLDER = Path(__file__).parent / "migrations"


def config() -> Config:
    settings = Config()
    settings.set_main_option("script_location", str(FOLDER))
    return settings


def script(dialect: str, stored: str | None) -> str:
    """SQL that brings a database from revision `stored` (None: empty) to the head. dialect: sqlite | postgresql."""
    settings = config()
    settings.output_buffer = StringIO()
    settings.attributes["dialect"] = dialect
    command.upgrade(settings, f"{stored or 'base'}:head", sql=True)
    return settings.output_buffer.getvalue()
