"""All operations, in the order in which the documentation lists them."""

from typing import Final

from webquarry.api import account, job_operations, webhook_operations
from webquarry.api.operations import Operation

OPERATIONS: Final[tuple[Operation, ...]] = (
    *account.OPERATIONS,
    *job_operations.OPERATIONS,
    *webhook_operations.OPERATIONS,
)
