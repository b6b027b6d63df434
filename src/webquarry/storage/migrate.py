"""Migration scripts as SQL text, written by Alembic and run by the backend that asked (`revisions.write_script`):

    python -m webquarry.storage.migrate FOLDER DIALECT [REVISION]

Alembic works in its offline mode, so migrations are statements only: none of them reads rows into Python.
That keeps both backends on their own drivers and the whole upgrade in one transaction.
"""

import sys
from io import StringIO

from alembic import command
from alembic.config import Config


def script(folder: str, dialect: str, stored: str | None) -> str:
    """SQL that brings a database from revision `stored` (None: empty) to the head of `folder`'s migrations."""
    settings = Config()
    settings.set_main_option("script_location", folder)
    settings.output_buffer = StringIO()
    settings.attributes["dialect"] = dialect
    command.upgrade(settings, f"{stored or 'base'}:head", sql=True)
    return settings.output_buffer.getvalue()


if __name__ == "__main__":
    sys.stdout.write(script(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None))
