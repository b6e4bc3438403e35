#pragma once
#include <alsa/asoundlib.h>

// Of CPlatform. Swift cannot pass a variadic function, which the library's handler of messages is.
void cplatform_keep_message(const char *file, int line, const char *function, int error, const char *format, ...);

// From now on the library prints nothing to stderr; its messages are kept.
static inline void calsa_silence(void) { snd_lib_error_set_handler(cplatform_keep_message); }
