#pragma once

// What glibc declares only under _GNU_SOURCE, which cannot be switched on for Swift's own view of it.

#include <poll.h>

// poll with a limit in nanoseconds; for ever below 0. Returns as poll does.
int cplatform_poll(struct pollfd *entries, unsigned long count, long nanoseconds);
