#include "heap.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void cplatform_trim_heap(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
