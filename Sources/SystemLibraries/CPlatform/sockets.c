#define _GNU_SOURCE
#include "sockets.h"

#include <poll.h>
#include <time.h>

int cplatform_poll(struct pollfd *entries, unsigned long count, long nanoseconds) {
  struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return ppoll(entries, count, nanoseconds < 0 ? 0 : &limit, 0);
}
