#pragma once
#include <mpg123.h>

// Its name is a macro for one of two functions.
static inline int cmpg123_set(mpg123_handle *handle, enum mpg123_parms parameter, long value) {
  return mpg123_param(handle, parameter, value, 0);
}
