"""Jobs: one request for many inputs.

    port        what a queue does: it decides who works on which key, and when
    in_process  the queue for SQLite, in this process
    postgres    the queue for PostgreSQL (pgqueuer), shared by all servers
    records     jobs, items and what callers ask for
    rows        the transactions of items: take, end, give back
    table       the transactions of jobs: create, pause, resume, cancel, retry
    claim       what an item adds to the ledger's transactions
    kinds       what differs between kinds of jobs, such as the request of an item
    lanes       the work on a lane: takes items in slices, and runs them through the pipeline
    sweep       repairs: lanes without a worker, items of canceled jobs, expired jobs
    crawl       the kind of jobs whose items are pages of a site, found on the way
    crawls      begins crawls from requests (`crawl_request`)
    standing    how well the queue is served
    inputs      parses and checks the inputs of a request
    jobs        the facade for interfaces

The rows of items are the truth. A queue holds leases only, so losing one, or running one twice, changes no result and
no charge: an item ends in the transaction that settles its hold, and only for its latest attempt.
"""
