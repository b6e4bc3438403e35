#include "twins.h"

#include <opus.h>
#include <stdlib.h>

struct twin_codec {
  OpusEncoder *encoder;
  OpusDecoder *decoder;
  int samplesPerPacket;
  unsigned char packet[1276];
};

twin_codec *twin_codec_create(int bitrate, int complexity, int samplesPerPacket) {
  twin_codec *codec = calloc(1, sizeof *codec);
  int error = 0;
  codec->samplesPerPacket = samplesPerPacket;
  codec->encoder = opus_encoder_create(48000, 1, OPUS_APPLICATION_AUDIO, &error);
  codec->decoder = opus_decoder_create(48000, 1, &error);
  opus_encoder_ctl(codec->encoder, OPUS_SET_BITRATE(bitrate));
  opus_encoder_ctl(codec->encoder, OPUS_SET_COMPLEXITY(complexity));
  return codec;
}

void twin_codec_destroy(twin_codec *codec) {
  opus_encoder_destroy(codec->encoder);
  opus_decoder_destroy(codec->decoder);
  free(codec);
}

int twin_codec_run(twin_codec *codec, const float *input, float *output) {
  int bytes =
    opus_encode_float(codec->encoder, input, codec->samplesPerPacket, codec->packet, (int)sizeof codec->packet);
  if (bytes < 0) { return bytes; }
  int samples = opus_decode_float(codec->decoder, codec->packet, bytes, output, codec->samplesPerPacket, 0);
  return samples < 0 ? samples : bytes;
}
