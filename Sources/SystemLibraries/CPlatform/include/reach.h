#pragma once

#include <stdint.h>

// Sets bits in a word of the calling thread. Wait-free: the word belongs to the thread from its beginning.
void cplatform_reach(uint64_t bits);

// The word of the calling thread.
uint64_t cplatform_reached(void);

// Clears the word of the calling thread.
void cplatform_forget_reached(void);
