/* Simulates a slower disk: every flush of a file takes SLOW_FLUSH_US microseconds longer. Preloaded by bench.ledger. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static int slowly(const char *name, int fd)
{
    int (*flush)(int) = (int (*)(int)) dlsym(RTLD_NEXT, name);
    const char *told = getenv("SLOW_FLUSH_US");
    long us = told ? atol(told) : 0;
    struct timespec pause = { us / 1000000, us % 1000000 * 1000 };
    nanosleep(&pause, NULL);
    return flush(fd);
}

int fsync(int fd) { return slowly("fsync", fd); }

int fdatasync(int fd) { return slowly("fdatasync", fd); }
