#pragma once

// What libraries print to the C library's `stderr` of their own accord. fopencookie is declared only under _GNU_SOURCE, which
// cannot be switched on for Swift's own view of it.

// From now on drops what a thread prints while it is quiet, and passes on the rest. Call it once, before there are other threads.
void cplatform_filter_chatter(void);

// Begins or ends the calling thread's quiet.
void cplatform_begin_quiet(void);
void cplatform_end_quiet(void);

// Keeps the first two messages of a library on the calling thread: they name the cause of a failure, and later ones the
// calls that failed with it. The form is that of ALSA's handler.
void cplatform_keep_message(const char *file, int line, const char *function, int error, const char *format, ...);

// Forgets the messages of the calling thread.
void cplatform_forget_messages(void);

// The kept messages of the calling thread, each on a line.
const char *cplatform_messages(void);
