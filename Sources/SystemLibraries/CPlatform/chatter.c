#define _GNU_SOURCE
#include "chatter.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static _Thread_local int quiet = 0;

void cplatform_begin_quiet(void) { quiet++; }
void cplatform_end_quiet(void) { quiet--; }

static ssize_t pass(void *cookie, const char *bytes, size_t count) {
  (void)cookie;
  if (quiet > 0) return (ssize_t)count;
  size_t done = 0;
  while (done < count) {
    ssize_t written = write(STDERR_FILENO, bytes + done, count - done);
    if (written < 0 && errno == EINTR) continue;
    // Nobody can be told that messages are lost.
    if (written <= 0) break;
    done += (size_t)written;
  }
  return (ssize_t)count;
}

void cplatform_filter_chatter(void) {
  cookie_io_functions_t functions = {.write = pass};
  FILE *filter = fopencookie(NULL, "w", functions);
  if (filter == NULL) return;
  // Each call prints at once, on its own thread.
  setvbuf(filter, NULL, _IONBF, 0);
  stderr = filter;
}
