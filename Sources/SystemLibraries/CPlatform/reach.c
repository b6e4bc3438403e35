#include "reach.h"

static _Thread_local uint64_t reached;

void cplatform_reach(uint64_t bits) {
  // A store would make the line of the cache dirty each time.
  if ((reached & bits) != bits) { reached |= bits; }
}

uint64_t cplatform_reached(void) { return reached; }

void cplatform_forget_reached(void) { reached = 0; }
