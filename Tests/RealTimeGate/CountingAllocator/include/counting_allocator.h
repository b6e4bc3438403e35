#pragma once

// Counts what a thread allocates while it is armed. The functions of the C library that allocate are defined in the
// program itself and forward to glibc, so that libraries are counted too.

typedef struct {
  long calls;
  long bytes;
  long frees;
} counting_result;

// Begins to count on the calling thread, from 0.
void counting_arm(void);
// Ends counting. Returns: calls that allocated, what they asked for, and calls that freed, since `counting_arm`.
counting_result counting_disarm(void);

// Marks the calling thread as one that must not block, for the real-time sanitizer; nothing without it.
void realtime_enter(void);
void realtime_exit(void);
// 1 where the program is linked with the real-time sanitizer.
int realtime_is_checked(void);
