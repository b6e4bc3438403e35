#pragma once
#include <ebur128.h>

// A value of an enumeration that is or-ed together; C's type for it depends on the compiler.
static const int ebur128_loudness = EBUR128_MODE_S;
static const int ebur128_loudness_and_peak = EBUR128_MODE_S | EBUR128_MODE_TRUE_PEAK;
