#define _GNU_SOURCE
#include "threads.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

void cplatform_name_thread(pthread_t thread, const char *name) { pthread_setname_np(thread, name); }

int cplatform_wait(sem_t *semaphore, long milliseconds) {
  struct timespec deadline;
  clock_gettime(CLOCK_MONOTONIC, &deadline);
  deadline.tv_sec += milliseconds / 1000;
  deadline.tv_nsec += milliseconds % 1000 * 1000000;
  if (deadline.tv_nsec >= 1000000000) {
    deadline.tv_sec += 1;
    deadline.tv_nsec -= 1000000000;
  }
  return sem_clockwait(semaphore, CLOCK_MONOTONIC, &deadline);
}

long cplatform_thread_identifier(void) { return gettid(); }

int cplatform_processor_count(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) ? 0 : CPU_COUNT(&set);
}
