"""Statements about items read few rows, however many items a job has."""

import re
import sqlite3

import pytest

from conftest import Store
from webquarry.jobs import rows, table
from webquarry.storage.sqlite import FILE_NAME


@pytest.mark.parametrize("backend", ["sqlite"])
@pytest.mark.parametrize(
    ("sql", "steps"),
    [
        (rows._CANDIDATES, ["ix_job_items_state (job_id=? AND state=? AND lane=?"]),
        (rows._IS_DUE, ["ix_job_items_state (job_id=? AND state=? AND lane=?"]),
        (rows._COUNT_TAKEN, ["ix_job_items_state (job_id=? AND state=?)"]),
        (rows._TAKE, ["PRIMARY KEY (job_id=? AND n=?)", "ix_job_items_ready (lane=? AND job_id=?)"]),
        (rows._IS_LEFT, ["ix_job_items_taken"]),
        (rows._END, ["PRIMARY KEY (job_id=? AND n=?)"]),
        (table._BY_ID, ["ix_job_items_state (job_id=? AND state=?)"]),
        (table._STOP_ROWS, ["PRIMARY KEY (job_id=? AND n=?)", "ix_job_items_state (job_id=? AND state=?)"]),
        (table._ENDED_PAGE, ["uq_job_items_ending (job_id=? AND ending>?)"]),
        (table._PAGE, ["PRIMARY KEY (job_id=? AND n>?)"]),
    ],
)
async def test_a_statement_uses_the_index_that_is_meant_for_it(
    store: Store, backend: str, sql: str, steps: list[str]
) -> None:
    await store.open()
    connection = sqlite3.connect(store.settings.data_dir / FILE_NAME)
    values = dict.fromkeys(re.findall(r"(?<![:\w]):([a-z_]\w*)", sql), 1)
    plan = "\n".join(row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values))
    connection.close()
    for step in steps:
        assert step in plan
    assert "TEMP B-TREE" not in plan
