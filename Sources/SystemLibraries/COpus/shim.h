#pragma once
#include <opus.h>

// opus_encoder_ctl is variadic, which Swift cannot call.
static inline int copus_encoder_set(OpusEncoder *encoder, int request, opus_int32 value) {
  return opus_encoder_ctl(encoder, request, value);
}
static inline int copus_encoder_get(OpusEncoder *encoder, int request, opus_int32 *value) {
  return opus_encoder_ctl(encoder, request, value);
}
static inline int copus_decoder_reset(OpusDecoder *decoder) {
  return opus_decoder_ctl(decoder, OPUS_RESET_STATE);
}
