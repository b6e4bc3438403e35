#pragma once

// Fetches the line at an address into the cache, to be written; without effect for an address that cannot be read.
__attribute__((swift_attr("@_noLocks"))) static inline void cplatform_prefetch(const void *address) {
  __builtin_prefetch(address, 1, 3);
}
