#define _GNU_SOURCE
#include "chatter.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
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

static _Thread_local char messages[512];

void cplatform_keep_message(const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error;
  size_t length = strlen(messages);
  if (length + 4 > sizeof messages || strchr(messages, '\n')) return;
  if (length) messages[length++] = '\n';
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(messages + length, sizeof messages - length, format, arguments);
  va_end(arguments);
}

void cplatform_forget_messages(void) { messages[0] = 0; }

const char *cplatform_messages(void) { return messages; }
