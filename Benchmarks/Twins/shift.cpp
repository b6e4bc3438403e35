#include "twins.h"

#include <SoundTouch.h>

struct twin_shift {
  soundtouch::SoundTouch processor;
};

twin_shift *twin_shift_create(double ratio) {
  twin_shift *shift = new twin_shift;
  shift->processor.setSampleRate(48000);
  shift->processor.setChannels(1);
  shift->processor.setPitch(ratio);
  // What its own program calls -speech.
  shift->processor.setSetting(SETTING_SEQUENCE_MS, 40);
  shift->processor.setSetting(SETTING_SEEKWINDOW_MS, 15);
  shift->processor.setSetting(SETTING_OVERLAP_MS, 8);
  return shift;
}

void twin_shift_destroy(twin_shift *shift) { delete shift; }

long twin_shift_run(twin_shift *shift, const float *input, float *output, long count) {
  shift->processor.putSamples(input, (unsigned)count);
  return (long)shift->processor.receiveSamples(output, (unsigned)count);
}
