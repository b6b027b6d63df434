"""The standing of the queue, which the status page shows, on both stores."""

from jobs.conftest import Shop


async def test_the_queue_knows_running_jobs_and_the_longest_wait(shop: Shop) -> None:
    jobs = shop.service.workshop.jobs
    assert (await jobs.read_standing()).running == 0
    held = shop.board.hold_until("a")
    job = await shop.start(["a", "b"])
    await shop.until(job, lambda found: found.counts.running == 1 and found.counts.done == 1)
    standing = await jobs.read_standing()
    assert (standing.running, 0 <= standing.wait_s < 60) == (1, True)
    held.set()
    await shop.end(job)
    assert (await jobs.read_standing()).running == 0
