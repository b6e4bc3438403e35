#include "twins.h"

#include <string.h>

static inline int16_t rounded(float sample) {
  float scaled = sample * 32768.0f;
  scaled = scaled < 32767.0f ? scaled : 32767.0f;
  scaled = scaled > -32768.0f ? scaled : -32768.0f;
  // Adding 1.5 * 2^23 leaves the rounded integer in the low bits of the mantissa.
  scaled += 12582912.0f;
  int32_t bits;
  memcpy(&bits, &scaled, sizeof bits);
  return (int16_t)(bits - 0x4B400000);
}

void twin_to_int16(const float *restrict input, int16_t *restrict output, long count) {
  for (long index = 0; index < count; index++) { output[index] = rounded(input[index]); }
}

void twin_to_float(const int16_t *restrict input, float *restrict output, long count) {
  for (long index = 0; index < count; index++) { output[index] = (float)input[index] * 0x1p-15f; }
}

void twin_interleave(const float *restrict left, const float *restrict right, float *restrict output, long count) {
  for (long index = 0; index < count; index++) {
    output[2 * index] = left[index];
    output[2 * index + 1] = right[index];
  }
}

void twin_deinterleave(const float *restrict input, float *restrict left, float *restrict right, long count) {
  for (long index = 0; index < count; index++) {
    left[index] = input[2 * index];
    right[index] = input[2 * index + 1];
  }
}

void twin_interleave_int16(
  const float *restrict left, const float *restrict right, int16_t *restrict output, long count) {
  for (long index = 0; index < count; index++) {
    output[2 * index] = rounded(left[index]);
    output[2 * index + 1] = rounded(right[index]);
  }
}

void twin_deinterleave_int16(const int16_t *restrict input, float *restrict left, float *restrict right, long count) {
  for (long index = 0; index < count; index++) {
    left[index] = (float)input[2 * index] * 0x1p-15f;
    right[index] = (float)input[2 * index + 1] * 0x1p-15f;
  }
}

float twin_level(const float *restrict input, long count) {
  // Sixteen sums side by side: added up in one the compiler may not use vectors.
  float squares[16] = {0}, peaks[16] = {0};
  for (long index = 0; index + 16 <= count; index += 16) {
    for (long lane = 0; lane < 16; lane++) {
      float sample = input[index + lane], magnitude = sample < 0 ? -sample : sample;
      squares[lane] += sample * sample;
      peaks[lane] = peaks[lane] > magnitude ? peaks[lane] : magnitude;
    }
  }
  float sum = 0, peak = 0;
  for (long lane = 0; lane < 16; lane++) {
    sum += squares[lane];
    peak = peaks[lane] > peak ? peaks[lane] : peak;
  }
  return sum + peak;
}

void twin_delay(float *restrict line, const float *restrict input, float *restrict output, long delay, long count) {
  memcpy(output, line, (size_t)delay * sizeof *line);
  memcpy(output + delay, input, (size_t)(count - delay) * sizeof *line);
  memcpy(line, input + count - delay, (size_t)delay * sizeof *line);
}
