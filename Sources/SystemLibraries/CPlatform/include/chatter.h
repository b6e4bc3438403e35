#pragma once

// What libraries print to the C library's `stderr` of their own accord. fopencookie is declared only under _GNU_SOURCE, which
// cannot be switched on for Swift's own view of it.

// From now on drops what a thread prints while it is quiet, and passes on the rest. Call it once, before there are other threads.
void cplatform_filter_chatter(void);

// Begins or ends the calling thread's quiet.
void cplatform_begin_quiet(void);
void cplatform_end_quiet(void);
