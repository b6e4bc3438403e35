#pragma once

// Flush-to-zero and denormals-are-zero for the calling thread, so that a decaying filter tail cannot slow a tick
// down by two orders of magnitude. Bounded: two instructions.

// Returns what cplatform_restore_denormals takes to undo it.
__attribute__((swift_attr("@_noLocks"))) static inline unsigned long cplatform_flush_denormals(void) {
#if defined(__SSE2__)
  unsigned int state = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(state | 0x8040u);
  return state;
#elif defined(__aarch64__)
  unsigned long state;
  __asm__ volatile("mrs %0, fpcr" : "=r"(state));
  __asm__ volatile("msr fpcr, %0" ::"r"(state | (1ul << 24)));
  return state;
#else
  return 0;
#endif
}

__attribute__((swift_attr("@_noLocks"))) static inline void cplatform_restore_denormals(unsigned long state) {
#if defined(__SSE2__)
  __builtin_ia32_ldmxcsr((unsigned int)state);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" ::"r"(state));
#else
  (void)state;
#endif
}
