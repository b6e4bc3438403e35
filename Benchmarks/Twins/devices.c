#include "twins.h"

#include <samplerate.h>

void *twin_drift_create(int channels) {
  int error = 0;
  SRC_STATE *state = src_new(SRC_SINC_FASTEST, channels, &error);
  if (state) src_set_ratio(state, 1.0002);
  return state;
}

void twin_drift_destroy(void *state) { src_delete(state); }

long twin_drift_convert(void *state, const float *input, float *output, long count) {
  SRC_DATA data = {0};
  data.data_in = input;
  data.data_out = output;
  data.input_frames = count;
  data.output_frames = 2 * count;
  data.src_ratio = 1.0002;
  src_process(state, &data);
  return data.output_frames_gen;
}
