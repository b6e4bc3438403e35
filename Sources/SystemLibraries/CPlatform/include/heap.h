#pragma once

// Returns free memory of the heap to the system. Meanwhile other threads may wait to allocate.
void cplatform_trim_heap(void);
