#pragma once
#include <alsa/asoundlib.h>

// Swift can neither write nor pass a variadic function, which the library's handler of messages is.
static inline void calsa_drop_message(
    const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

// From now on the library prints nothing to stderr.
static inline void calsa_silence(void) { snd_lib_error_set_handler(calsa_drop_message); }
