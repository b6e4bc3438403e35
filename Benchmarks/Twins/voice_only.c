#include "twins.h"

#include <speex/speex_preprocess.h>

twin_denoiser *twin_denoiser_create(int sampleRate, int samplesPerFrame) {
  SpeexPreprocessState *state = speex_preprocess_state_init(samplesPerFrame, sampleRate);
  int on = 1, decibels = -25;
  speex_preprocess_ctl(state, SPEEX_PREPROCESS_SET_DENOISE, &on);
  speex_preprocess_ctl(state, SPEEX_PREPROCESS_SET_NOISE_SUPPRESS, &decibels);
  return (twin_denoiser *)state;
}

void twin_denoiser_destroy(twin_denoiser *denoiser) { speex_preprocess_state_destroy((SpeexPreprocessState *)denoiser); }

void twin_denoiser_run(twin_denoiser *denoiser, short *samples) {
  speex_preprocess_run((SpeexPreprocessState *)denoiser, samples);
}
