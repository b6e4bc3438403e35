#include "twins.h"

#include <fcntl.h>
#include <sndfile.h>
#include <stdlib.h>
#include <unistd.h>

#define BLOCK 16384

static long fill(int file, int16_t *samples) {
  long bytes = 0;
  while (bytes < BLOCK * 4) {
    long got = read(file, (char *)samples + bytes, (size_t)(BLOCK * 4 - bytes));
    if (got <= 0) { break; }
    bytes += got;
  }
  return bytes / 4;
}

int twin_mix_files(const char *input, const char *other, const char *output, float near, float far, float otherGain) {
  int16_t *a = malloc(BLOCK * 4), *b = malloc(BLOCK * 4);
  float *al = malloc(BLOCK * 16), *ar = al + BLOCK, *bl = ar + BLOCK, *br = bl + BLOCK;
  int from = open(input, O_RDONLY), with = open(other, O_RDONLY);
  int to = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  int result = from < 0 || with < 0 || to < 0 ? -1 : 0;
  char header[44];
  if (result == 0 && (read(from, header, 44) != 44 || read(with, header, 44) != 44 || write(to, header, 44) != 44)) {
    result = -1;
  }
  while (result == 0) {
    long count = fill(from, a);
    long more = fill(with, b);
    if (more < count) { count = more; }
    if (count == 0) { break; }
    twin_deinterleave_int16(a, al, ar, count);
    twin_deinterleave_int16(b, bl, br, count);
    for (long index = 0; index < count; index++) {
      float left = al[index] + bl[index] * otherGain;
      float right = ar[index] + br[index] * otherGain;
      al[index] = left * near + right * far;
      ar[index] = right * far;
    }
    twin_interleave_int16(al, ar, a, count);
    if (write(to, a, (size_t)count * 4) != count * 4) { result = -1; }
  }
  close(from);
  close(with);
  close(to);
  free(a);
  free(b);
  free(al);
  return result;
}

int twin_copy_file(const char *input, const char *output) {
  SF_INFO from = {0};
  SNDFILE *reader = sf_open(input, SFM_READ, &from);
  if (!reader || from.channels > 2) { return -1; }
  SF_INFO to = {.samplerate = from.samplerate, .channels = from.channels, .format = SF_FORMAT_WAV | SF_FORMAT_PCM_16};
  SNDFILE *writer = sf_open(output, SFM_WRITE, &to);
  float samples[2 * 480];
  sf_count_t count = 0;
  int result = writer ? 0 : -1;
  while (result == 0 && (count = sf_readf_float(reader, samples, 480)) > 0) {
    if (sf_writef_float(writer, samples, count) != count) { result = -1; }
  }
  sf_close(reader);
  if (writer && sf_close(writer) != 0) { result = -1; }
  return result;
}
