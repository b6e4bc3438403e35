#pragma once

// Returns free memory of the heap to the system. It takes about a millisecond for each 100 MB of it, while other threads
// may wait to allocate.
void cplatform_trim_heap(void);
