#pragma once

// Sets flush-to-zero and denormals-are-zero for the calling thread, so that a decaying filter tail cannot
// slow a tick down by two orders of magnitude. Bounded: two instructions.
__attribute__((swift_attr("@_noLocks"))) static inline void cplatform_flush_denormals(void) {
#if defined(__SSE2__)
  unsigned int state = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(state | 0x8040u);
#elif defined(__aarch64__)
  unsigned long state;
  __asm__ volatile("mrs %0, fpcr" : "=r"(state));
  __asm__ volatile("msr fpcr, %0" ::"r"(state | (1ul << 24)));
#endif
}
