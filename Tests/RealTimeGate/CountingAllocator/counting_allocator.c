#include "counting_allocator.h"

#include <errno.h>
#include <stddef.h>

static __thread int isArmed;
static __thread counting_result result;

void counting_arm(void) {
  result = (counting_result){0, 0, 0};
  isArmed = 1;
}

counting_result counting_disarm(void) {
  isArmed = 0;
  return result;
}

extern void __rtsan_ensure_initialized(void) __attribute__((weak));
extern void __rtsan_realtime_enter(void) __attribute__((weak));
extern void __rtsan_realtime_exit(void) __attribute__((weak));

int realtime_is_checked(void) {
  if (!__rtsan_realtime_enter) { return 0; }
  __rtsan_ensure_initialized();
  return 1;
}

void realtime_enter(void) {
  if (__rtsan_realtime_enter) { __rtsan_realtime_enter(); }
}

void realtime_exit(void) {
  if (__rtsan_realtime_exit) { __rtsan_realtime_exit(); }
}

// These stand before the sanitizer's interceptors, where it is linked, and hand on to them; else to glibc.
#define NEXT(name) (__interceptor_##name ? __interceptor_##name : __libc_##name)

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);
extern void *__interceptor_malloc(size_t) __attribute__((weak));
extern void *__interceptor_calloc(size_t, size_t) __attribute__((weak));
extern void *__interceptor_realloc(void *, size_t) __attribute__((weak));
extern void *__interceptor_memalign(size_t, size_t) __attribute__((weak));
extern void __interceptor_free(void *) __attribute__((weak));

static void count(size_t bytes) {
  if (!isArmed) { return; }
  result.calls++;
  result.bytes += (long)bytes;
}

void *malloc(size_t size) {
  count(size);
  return NEXT(malloc)(size);
}

void *calloc(size_t number, size_t size) {
  count(number * size);
  return NEXT(calloc)(number, size);
}

void *realloc(void *memory, size_t size) {
  count(size);
  return NEXT(realloc)(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  count(size);
  return NEXT(memalign)(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) { return EINVAL; }
  void *got = memalign(alignment, size);
  if (!got) { return ENOMEM; }
  *memory = got;
  return 0;
}

void free(void *memory) {
  if (isArmed && memory) { result.frees++; }
  NEXT(free)(memory);
}
