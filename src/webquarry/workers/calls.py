"""System call numbers that a converter's child may use, for each supported processor."""

from typing import Final

PROCESSORS: Final = ("x86_64", "aarch64")

_TABLE: Final = """
    read 0 63
    write 1 64
    readv 19 65
    writev 20 66
    pread64 17 67
    close 3 57
    close_range 436 436
    dup 32 23
    dup2 33 -
    dup3 292 24
    pipe 22 -
    pipe2 293 59
    poll 7 -
    ppoll 271 73
    select 23 -
    pselect6 270 72
    epoll_create 213 -
    epoll_create1 291 20
    epoll_ctl 233 21
    epoll_wait 232 -
    epoll_pwait 281 22
    epoll_pwait2 441 441
    eventfd2 290 19
    open 2 -
    openat 257 56
    openat2 437 437
    access 21 -
    faccessat 269 48
    faccessat2 439 439
    stat 4 -
    lstat 6 -
    fstat 5 80
    newfstatat 262 79
    statx 332 291
    lseek 8 62
    getdents 78 -
    getdents64 217 61
    readlink 89 -
    socketpair 53 199
    readlinkat 267 78
    getcwd 79 17
    fadvise64 221 223
    fcntl 72 25
    ioctl 16 29
    mmap 9 222
    mprotect 10 226
    munmap 11 215
    mremap 25 216
    madvise 28 233
    brk 12 214
    rseq 334 293
    arch_prctl 158 -
    rt_sigaction 13 134
    rt_sigprocmask 14 135
    rt_sigreturn 15 139
    sigaltstack 131 132
    tgkill 234 131
    restart_syscall 219 128
    clone 56 220
    clone3 435 435
    fork 57 -
    vfork 58 -
    execve 59 221
    wait4 61 260
    waitid 247 95
    exit 60 93
    exit_group 231 94
    set_tid_address 218 96
    set_robust_list 273 99
    futex 202 98
    futex_waitv 449 449
    getpid 39 172
    getppid 110 173
    gettid 186 178
    getuid 102 174
    geteuid 107 175
    getgid 104 176
    getegid 108 177
    getpgrp 111 -
    getrusage 98 165
    times 100 153
    uname 63 160
    sysinfo 99 179
    getcpu 309 168
    getrandom 318 278
    sched_yield 24 124
    sched_getaffinity 204 123
    sched_get_priority_max 146 125
    sched_get_priority_min 147 126
    prctl 157 167
    prlimit64 302 261
    getrlimit 97 163
    setrlimit 160 164
    clock_gettime 228 113
    clock_getres 229 114
    clock_nanosleep 230 115
    nanosleep 35 101
    gettimeofday 96 169
    time 201 -
    umask 95 166
    seccomp 317 277
"""
"""Name, number on x86_64, number on aarch64; "-" if the processor lacks the call. Taken from the kernel's headers."""


def read_numbers(processor: str) -> dict[str, int]:
    """Return the system call numbers of `processor`, by name."""
    column = 1 + PROCESSORS.index(processor)
    rows = (line.split() for line in _TABLE.strip().splitlines())
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}
