#include "twins.h"

#include <aubio/aubio.h>
#include <stdlib.h>
#include <string.h>

struct twin_pitch {
  aubio_pitch_t *pitch;
  fvec_t *input;
  fvec_t *output;
};

twin_pitch *twin_pitch_create(int sampleRate, int window, int hop) {
  twin_pitch *twin = calloc(1, sizeof *twin);
  twin->pitch = new_aubio_pitch("yinfft", (uint_t)window, (uint_t)hop, (uint_t)sampleRate);
  aubio_pitch_set_unit(twin->pitch, "Hz");
  twin->input = new_fvec((uint_t)hop);
  twin->output = new_fvec(1);
  return twin;
}

void twin_pitch_destroy(twin_pitch *twin) {
  del_aubio_pitch(twin->pitch);
  del_fvec(twin->input);
  del_fvec(twin->output);
  free(twin);
}

float twin_pitch_run(twin_pitch *twin, const float *samples, float *confidence) {
  memcpy(twin->input->data, samples, twin->input->length * sizeof *samples);
  aubio_pitch_do(twin->pitch, twin->input, twin->output);
  *confidence = aubio_pitch_get_confidence(twin->pitch);
  return twin->output->data[0];
}
