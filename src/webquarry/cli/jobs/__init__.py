"""Jobs from the command line, on a server or in this process.

    access    opens the jobs of a server, or of this process
    remote    the jobs of a server, over HTTP
    local     the jobs of this process, in a separate store
    inputs    reads the inputs of a job from CSV, JSON, JSON lines or plain lines
    folder    the directory of a job's results: what is written, and what the next command needs to continue
    following writes results until the job ends

Both kinds of jobs are reached through the operations of the HTTP API, so a command does the same with either.
"""
