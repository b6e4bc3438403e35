#pragma once

// What glibc declares only under _GNU_SOURCE, which cannot be switched on for Swift's own view of it.

#include <pthread.h>
#include <semaphore.h>

// Names a thread for tools like `top -H`; at most 15 bytes.
void cplatform_name_thread(pthread_t thread, const char *name);

// Waits for the semaphore at most so long by the monotonic clock. Returns 0, or -1 with errno.
int cplatform_wait(sem_t *semaphore, long milliseconds);

// Returns the kernel's number of the calling thread.
long cplatform_thread_identifier(void);

// Returns the number of processors that the calling thread may run on, or 0 if the kernel does not say.
int cplatform_processor_count(void);
